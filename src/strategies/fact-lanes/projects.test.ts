import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { inTurns, projectPlan } from './project-plan.ts';
import { Projects } from './projects.ts';
import type { Section } from './sections.ts';

/** Makes a section of a document; its text names what it is given. */
function section(id: string, at: number, text = ''): Section {
  const passage = { id: `${id}#${at}`, documentId: id, start: 0, end: text.length, text };
  return { passage } as unknown as Section;
}

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
    assert.equal(projects.without('Does Egret go with Tern?', ['tern', 'egret3']), 'does go with');
  });

  test('of any paths and texts are read without an error, each name where it stands', () => {
    const path = fc.array(fc.string({ maxLength: 6 }), { maxLength: 4 }).map(p => p.join('/'));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), fc.string(), (ids, text) => {
        const projects = new Projects(ids);
        for (const project of projects.namedIn(text)) {
          assert.ok(ids.some(id => projects.of(id) === project));
          assert.ok(!projects.namedIn(projects.without(text, [project])).includes(project));
        }
      }),
    );
  });
});

describe('a plan', () => {
  const projects = new Projects(IDS);
  const tern = section('docs/tern/a.md', 0, 'Tern stores rows in Egret.');
  const egret = section('docs/egret3/b.md', 0, 'Pages of it.');

  test('searches each project that the question names, without the names of the others', () => {
    assert.deepEqual(projectPlan('Is Tern older than Egret?', [tern], projects), {
      before: 0,
      queries: [
        { project: 'tern', text: 'tern is older than' },
        { project: 'egret3', text: 'egret3 is older than' },
      ],
    });
  });

  test('searches a described project that the best sections name', () => {
    const plan = projectPlan(
      'How large is a page of the engine that Tern uses?',
      [tern, egret],
      projects,
    );
    assert.deepEqual(plan, {
      before: 2,
      queries: [{ project: 'egret3', text: 'egret3 how large is a page of the engine that uses' }],
    });
  });

  test('passes over the project of the best section itself, and the one that the question names', () => {
    const own = section(
      'docs/tern/a.md',
      0,
      'Tern keeps rows with Kite, and Tern is Tern, in Egret.',
    );
    const all = new Projects([...IDS, 'docs/kite/k.md']);
    const found = [
      own,
      section('docs/tern/a.md', 1, 'Tern, Kite'),
      egret,
      section('docs/kite/k.md', 0),
    ];
    const project = (question: string) =>
      projectPlan(question, found, all)?.queries.map(one => one.project);
    assert.deepEqual(project('How large is a page of the engine that Kite shares?'), ['egret3']);
    assert.deepEqual(project('How large is a page of the engine that it keeps rows in?'), ['kite']);
  });

  test('is none for a question that describes nothing, or whose project nothing names', () => {
    assert.equal(projectPlan('How large is a page?', [tern, egret], projects), undefined);
    const asks = 'How large is a page of the engine that Tern uses?';
    assert.equal(projectPlan(asks, [egret, tern], projects), undefined);
    assert.equal(projectPlan(asks, [], projects), undefined);
  });
});

describe('turns', () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(20), { maxLength: 10 }), { maxLength: 4 });

  test('hold every section once, and each list in its order', () => {
    const make = (numbers: readonly number[]): Section[] => numbers.map(n => section('x', n));
    fc.assert(
      fc.property(lists, fc.uniqueArray(fc.nat(20)), fc.nat(3), (own, ranked, before) => {
        const merged = inTurns(make(ranked), own.map(make), before).map(
          ({ passage }) => passage.id,
        );
        assert.equal(new Set(merged).size, merged.length);
        assert.deepEqual(new Set(merged), new Set([...ranked, ...own.flat()].map(n => `x#${n}`)));
        const firsts = own.flatMap(([first]) => (first === undefined ? [] : [`x#${first}`]));
        if (before === 0) for (const first of firsts) assert.ok(merged.indexOf(first) < own.length);
      }),
    );
  });

  test('take two of the first ranking for each of a described project', () => {
    const ranked = [1, 2, 3, 4, 5].map(n => section('a', n));
    const own = [6, 7].map(n => section('b', n));
    const order = inTurns(ranked, [own], 2).map(({ passage }) => passage.id);
    assert.deepEqual(order, ['a#1', 'a#2', 'b#6', 'a#3', 'a#4', 'b#7', 'a#5']);
  });
});
