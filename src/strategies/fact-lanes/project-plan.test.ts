/** Tests the plans of questions that name several projects, or describe one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sectionOf } from '../../../test/section-of.ts';
import { findBridge, WordForms } from './bridges.ts';
import { bridgePlan, describedProject, namedPlan } from './project-plan.ts';
import { Projects } from './projects.ts';
import type { Section } from './section-rank.ts';

const section = (id: string, at: number, text = ''): Section => sectionOf({ id, text }, at);

const IDS = ['docs/tern/a.md', 'docs/egret3/b.md', 'docs/go/c.md', 'docs/index.md'];
const PROJECTS = new Projects(IDS);
/** It asks for what Tern's own documents do not say. */
const ASKS = 'How large is a page of the engine that Tern uses?';

const tern = section('docs/tern/a.md', 0, 'Tern uses Egret, an engine that stores rows.');
const egret = section('docs/egret3/b.md', 0, 'Pages of it.');

/** Returns the bridge of a question over some sections. */
function bridgeOf(question: string, found: readonly Section[], projects = PROJECTS) {
  const described = describedProject(question, found, projects);
  if (!described) return undefined;
  const common = new WordForms(found, projects);
  return findBridge({ question, ...described, found, projects, common });
}

describe('a plan', () => {
  test('searches the described project by the question and by what is asked of it', () => {
    const described = describedProject(ASKS, [tern, egret], PROJECTS)!;
    assert.deepEqual(described, {
      first: 'tern',
      described: 'the engine that Tern uses?',
      asked: 'How large is a page of ',
    });
    const bridge = bridgeOf(ASKS, [tern, egret])!;
    assert.deepEqual(bridge, { project: 'egret3', naming: [tern] });
    assert.deepEqual(bridgePlan(ASKS, described, bridge, PROJECTS), {
      naming: [tern],
      queries: [
        {
          project: 'egret3',
          text: 'egret3 how large is a page of the engine that uses',
          asked: 'egret3 how large is a page of',
        },
      ],
    });
    // The question names the first project, wherever its sections stand.
    assert.deepEqual(bridgeOf(ASKS, [egret, tern]), bridge);
  });

  test('reads the project of the best section where a question names none', () => {
    const question = 'How large is a page of the engine that stores its rows?';
    assert.deepEqual(describedProject(question, [tern], PROJECTS), {
      first: 'tern',
      described: question,
      asked: question,
    });
    assert.equal(describedProject(question, [], PROJECTS), undefined);
    assert.equal(describedProject('How large is a page?', [tern], PROJECTS), undefined);
  });
});

describe('a bridge', () => {
  test('shows sections that state a relation first', () => {
    const shown = (text: string, at: number) => section('docs/tern/a.md', at, text);
    const mere = shown('Used engines: Egret.', 0);
    const states = shown('The engine uses Egret.', 1);
    assert.deepEqual(bridgeOf(ASKS, [mere, states])?.naming, [states, mere]);
  });

  test('takes no word for a name that is written as a word', () => {
    const cookies = new Projects(['docs/tern/a.md', 'docs/cookie/b.md', 'docs/next/c.md']);
    const told = section('docs/tern/a.md', 0, 'Tern signs a session cookie. Others read cookies.');
    assert.equal(namedPlan('Does Tern sign a cookie?', [told], cookies), undefined);
    assert.equal(namedPlan('Does Tern sign by Cookie?', [told], cookies)?.queries.length, 2);
    const asks = 'What holds the session that Tern signs?';
    assert.equal(bridgeOf(asks, [told], cookies), undefined);
    const cookie = section('docs/tern/a.md', 0, 'Tern signs a session by Cookie, not by cookies.');
    assert.equal(bridgeOf(asks, [cookie], cookies)?.project, 'cookie');
    // Its own project writes it with a capital.
    const lower = section('docs/tern/a.md', 0, 'Tern signs the next session.');
    const egret = section('docs/next/c.md', 0, 'Next is a framework. Next serves the next page.');
    assert.equal(bridgeOf(asks, [lower], cookies)?.project, 'next');
    assert.equal(bridgeOf(asks, [lower, egret], cookies), undefined);
  });
});
