import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aboutWords, isAbout } from './about-cues.ts';

describe('questions about a project itself', () => {
  test('ask who makes it, under which licence, and where it and its name come from', () => {
    for (const [question, word] of [
      ['Who maintains Tern?', 'author'],
      ['Who holds the copyright of Tern?', 'copyright'],
      ['Which licence is Tern under?', 'license'],
      ['What is Tern licensed under?', 'license'],
      ['Which bird was Tern named after?', 'named'],
      ['Where does the name of Tern come from?', 'named'],
      ['What does the word tern mean?', 'meaning'],
      ['Where was Tern first made?', 'originally'],
      ['In what year was Tern released?', 'originally'],
      ['Of which program is Tern a fork?', 'fork'],
    ] as const)
      assert.ok(aboutWords(question).split(' ').includes(word), question);
  });

  test('are none about its use', () => {
    for (const question of [
      'How large is a page of Tern?',
      'Where does Tern store its pages?',
      'Which option names the file that Tern reads?',
      'What does the flag --all do?',
      'Who may read a page?',
      'How do I make Tern start?',
    ])
      assert.equal(aboutWords(question), '', question);
  });

  test('are answered by pages about it, told by their names', () => {
    for (const id of ['tern/README.md', 'tern/docs/index.rst', 'tern/faq/general.txt', 'LICENSE'])
      assert.ok(isAbout(id), id);
    for (const id of ['tern/docs/settings.md', 'tern/index/pages.md', 'tern/reindex.md'])
      assert.ok(!isAbout(id), id);
  });
});
