/** Tests answers in the form of schemas of valibot, arktype and zod. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openStore } from 'multihop';
import { scriptedModel } from 'multihop/testing';
import { fixtureStore, lacks, QUESTION } from './fixture-store.ts';

describe('typed answers', { skip: lacks('arktype') }, () => {
  let fixture: Awaited<ReturnType<typeof fixtureStore>>;
  before(async () => (fixture = await fixtureStore()));
  after(() => fixture.remove());

  async function schemas() {
    const { type } = await import('arktype');
    const v = await import('valibot');
    const { toStandardJsonSchema } = await import('@valibot/to-json-schema');
    const { z } = await import('zod');
    return [
      type({ teacher: 'string', craft: 'string' }),
      toStandardJsonSchema(v.object({ teacher: v.string(), craft: v.string() })),
      z.object({ teacher: z.string(), craft: z.string() }),
    ];
  }

  test('each library validates, types and describes the answer', async () => {
    await using store = await openStore(fixture.path);
    for (const schema of await schemas()) {
      const citations = { teacher: [1, 2, 3, 4], craft: [1, 2, 3, 4] };
      const good = { citations, answer: { teacher: 'Osk Maren', craft: 'lens grinder' } };
      const bad = { citations, answer: { teacher: 3 } };
      const model = scriptedModel([JSON.stringify(bad), JSON.stringify(good)]);
      const { value, answer } = await store.ask(QUESTION, { model, schema });
      const teacher: string | undefined = value?.teacher;
      assert.equal(teacher, 'Osk Maren', JSON.stringify(answer));
      assert.equal(model.prompts.length, 2);
      assert.match(model.prompts[1]!.messages.at(-1)!.text, /teacher/);
      assert.ok(answer.kind === 'answered');
      const cited = answer.fields!.map(field => field.citations.map(each => each.documentId));
      assert.ok(cited.length === 2 && cited.every(ids => ids.includes('quill-works')));
    }
  });

  test('a schema of valibot alone says what to do', async () => {
    const v = await import('valibot');
    await using store = await openStore(fixture.path);
    const asked = { model: scriptedModel(['']), schema: v.object({ teacher: v.string() }) };
    await assert.rejects(async () => store.ask(QUESTION, asked), {
      code: 'bad-schema',
      message: /toStandardJsonSchema\(schema\) of @valibot\/to-json-schema/,
    });
  });
});
