import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sectionOf } from '../../../test/section-of.ts';
import { inTurns, projectPlan } from './project-plan.ts';
import { Projects } from './projects.ts';
import type { Section } from './sections.ts';

const section = (id: string, at: number, text = ''): Section => sectionOf({ id, text }, at);

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

/** It asks for what Tern's own documents do not say. */
const ASKS = 'How large is a page of the engine that Tern uses?';

describe('a plan', () => {
  const projects = new Projects(IDS);
  const tern = section('docs/tern/a.md', 0, 'Tern uses Egret, an engine that stores rows.');
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

  test('searches the project that a sentence names beside the words of the question', () => {
    const plan = projectPlan(ASKS, [tern, egret], projects);
    assert.deepEqual(plan, {
      before: 2,
      naming: tern,
      queries: [
        {
          project: 'egret3',
          text: 'egret3 how large is a page of the engine that uses',
          left: 'egret3 how large is a page of the that',
        },
      ],
    });
    // The question names the first project, wherever its sections stand.
    assert.deepEqual(projectPlan(ASKS, [egret, tern], projects), plan);
  });

  test('asks all that is asked where the naming section says every word of it', () => {
    const all = section('docs/tern/a.md', 1, 'Tern uses Egret, an engine of large page.');
    const plan = projectPlan(ASKS, [all], projects);
    assert.deepEqual(plan?.queries, [
      { project: 'egret3', text: 'egret3 how large is a page of the engine that uses' },
    ]);
  });

  test('passes over the project that is read, and takes the rarer of two names of one sentence', () => {
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
    // Its own sections name none.
    assert.equal(project('How large is a page of the engine that Kite shares?'), undefined);
    assert.deepEqual(project('How large is a page of the engine that it keeps rows in?'), [
      'egret3',
    ]);
  });

  test('is none for a question that describes nothing, or whose project nothing names', () => {
    assert.equal(projectPlan('How large is a page?', [tern, egret], projects), undefined);
    assert.equal(projectPlan(ASKS, [egret], projects), undefined);
    assert.equal(projectPlan(ASKS, [], projects), undefined);
    // One shared word is chance.
    const chance = section('docs/tern/a.md', 0, 'Tern and Egret fly. An engine is no bird.');
    assert.equal(projectPlan(ASKS, [chance], projects), undefined);
  });

  test('takes no word for a name that is written as a word with other forms', () => {
    const cookies = new Projects(['docs/tern/a.md', 'docs/cookie/b.md']);
    const told = section('docs/tern/a.md', 0, 'Tern signs a session cookie. Others read cookies.');
    assert.equal(projectPlan('Does Tern sign a cookie?', [told], cookies), undefined);
    assert.equal(projectPlan('Does Tern sign by Cookie?', [told], cookies)?.queries.length, 2);
    const asks = 'What does the session that Tern signs hold?';
    assert.equal(projectPlan(asks, [told], cookies), undefined);
    const named = section('docs/tern/a.md', 0, 'Tern signs a session by Cookie, not by cookies.');
    assert.equal(projectPlan(asks, [named], cookies)?.queries[0]?.project, 'cookie');
  });

  test('prefers the sentence with most of what is asked, and rare names', () => {
    const many = new Projects(['docs/tern/a.md', 'docs/egret/b.md', 'docs/heron/c.md']);
    const both = section(
      'docs/tern/a.md',
      0,
      'Tern needs Heron. The engine that Tern uses for a page is Egret. Heron is an engine of page.',
    );
    assert.equal(projectPlan(ASKS, [both], many)?.queries[0]?.project, 'egret');
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
