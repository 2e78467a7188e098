import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Projects } from './projects.ts';

const IDS = ['docs/tern/a.md', 'docs/egret3/b.md', 'docs/go/c.md', 'docs/index.md'];

describe('projects', () => {
  test('are the outermost folders that tell documents apart', () => {
    const projects = new Projects(IDS);
    assert.equal(projects.of('docs/tern/guide/x.md'), 'tern');
    assert.equal(projects.of('docs/index.md'), undefined);
    assert.equal(new Projects(['tern/a.md', 'egret/b.md']).of('egret/b.md'), 'egret');
    assert.equal(new Projects(['a.md', 'b.md']).of('a.md'), undefined);
  });

  test('are named by whole words, without a version at the end, and not by two letters', () => {
    const projects = new Projects(IDS);
    assert.deepEqual(projects.namedIn('Does Egret go with Tern?'), ['tern', 'egret3']);
    assert.deepEqual(projects.namedIn('egret3'), ['egret3']);
    assert.deepEqual(projects.namedIn('terns, egrets and go'), []);
    const nested = new Projects(['docs/tern/a.md', 'docs/tern-pretty/b.md']);
    assert.deepEqual(nested.namedIn('It needs tern-pretty.'), ['tern-pretty']);
    assert.deepEqual(nested.namedIn('Tern Pretty beside Tern'), ['tern', 'tern-pretty']);
  });
});
