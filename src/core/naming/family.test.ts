/**
 * Checks families: settings are validated and typed, canonical names parse back, errors name what
 * was expected.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../errors.ts';
import { defaultsOf, family, type Member, member, type Settings } from './family.ts';
import { type Name, printName, type Value } from './name.ts';

interface Made {
  readonly name: string;
  readonly settings: Settings;
}

const plain = (name: string, parameters: Member<Made>['parameters'] = []): Member<Made> => ({
  name,
  summary: '',
  parameters: parameters!,
  create: (settings, canonical) => ({ name: canonical, settings }),
});

const tools = family<Made>('tool', [
  plain('plain'),
  plain('saw', [
    { name: 'teeth', type: 'integer', default: 12, min: 1, max: 99, shown: true, summary: '' },
    { name: 'angle', type: 'number', default: 0.5, min: 0, summary: '' },
    {
      name: 'metal',
      type: 'text',
      default: 'steel',
      choices: ['steel', 'brass', 'true'],
      summary: '',
    },
    { name: 'label', type: 'text', default: '', summary: '' },
    { name: 'sharp', type: 'flag', default: true, summary: '' },
  ]),
  plain('box', [
    {
      name: 'lid',
      type: 'member',
      default: { name: 'plain', args: [] },
      positional: true,
      summary: '',
    },
    { name: 'size', type: 'integer', default: 1, positional: true, summary: '' },
  ]),
]);

describe('canonical names', () => {
  const cases: [written: string, canonical: string][] = [
    ['plain', 'plain'],
    ['plain()', 'plain'],
    ['saw', 'saw(teeth=12)'],
    ['saw(angle=0.5, teeth=12)', 'saw(teeth=12)'],
    ['saw( metal = brass , teeth=3)', 'saw(teeth=3, metal=brass)'],
    ['saw(metal="true")', 'saw(teeth=12, metal="true")'],
    ['saw(label="two words", sharp=false)', 'saw(teeth=12, label="two words", sharp=false)'],
    ['box', 'box'],
    ['box(plain)', 'box'],
    ['box(saw(3))', 'box(saw(3))'],
    ['box(lid=saw, size=4)', 'box(saw, 4)'],
    ['box("saw(teeth=2)")', 'box(saw(teeth=2))'],
  ];
  for (const [written, canonical] of cases) {
    test(`${written} is ${canonical}`, () => {
      assert.equal(tools.canonical(written), canonical);
      assert.equal(tools.canonical(canonical), canonical);
      assert.equal(tools.create(written).name, canonical);
    });
  }

  test('any settings survive a round trip through a name', () => {
    const settings$ = fc.record(
      {
        teeth: fc.integer({ min: 1, max: 99 }),
        angle: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
        metal: fc.constantFrom('steel', 'brass', 'true'),
        label: fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.constantFrom('false', '7', 'a(b)'),
        ),
        sharp: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(settings$, settings => {
        const args = Object.entries(settings).map(([key, value]) => ({
          key,
          value: value as Value,
        }));
        const made = tools.create({ name: 'saw', args });
        assert.deepEqual(
          { ...made.settings, ...settings },
          made.settings,
          'the given settings are kept',
        );
        const again = tools.create(made.name);
        // -0 prints as 0.
        assert.deepEqual(JSON.stringify(again.settings), JSON.stringify(made.settings));
        assert.equal(again.name, made.name);
        assert.equal(tools.create(printName({ name: 'saw', args })).name, made.name);
      }),
      { numRuns: 500 },
    );
  });
});

describe('mistakes', () => {
  const cases: [written: string, code: string, message: RegExp][] = [
    ['sav', 'unknown-tool', /Unknown tool "sav".*one of plain, saw, box.*Did you mean saw\?/],
    ['telescope', 'unknown-tool', /one of plain, saw, box$/],
    [
      'saw(theeth=3)',
      'unknown-parameter',
      /does not take the parameter "theeth".*Did you mean teeth\?/,
    ],
    ['plain(x=1)', 'unknown-parameter', /expected no parameters/],
    ['saw(3)', 'unknown-parameter', /the unnamed value 3/],
    ['box(plain, 2, 3)', 'unknown-parameter', /the unnamed value 3/],
    ['saw(teeth=3, teeth=3)', 'duplicate-parameter', /"teeth" twice/],
    ['box(plain, lid=plain)', 'duplicate-parameter', /"lid" twice/],
    ['saw(teeth=0)', 'bad-parameter', /a whole number from 1 to 99, received 0/],
    ['saw(teeth=100)', 'bad-parameter', /a whole number from 1 to 99/],
    ['saw(teeth=1.5)', 'bad-parameter', /a whole number/],
    ['saw(teeth=many)', 'bad-parameter', /a whole number.*received many/],
    ['saw(teeth=true)', 'bad-parameter', /a whole number/],
    ['saw(angle=-1)', 'bad-parameter', /a number of at least 0, received -1/],
    ['saw(angle=1e999)', 'bad-parameter', /a number/],
    ['saw(metal=bras)', 'bad-parameter', /one of steel, brass, true.*Did you mean brass\?/],
    ['saw(metal=3)', 'bad-parameter', /a text/],
    ['saw(label=f(x))', 'bad-parameter', /a text/],
    ['saw(sharp=1)', 'bad-parameter', /true or false/],
    ['box(3)', 'bad-parameter', /a name, received 3/],
    ['box("a(")', 'bad-name', /Cannot read/],
  ];
  for (const [written, code, message] of cases) {
    test(`${written} is refused`, () => {
      for (const verb of [tools.create, tools.canonical])
        assert.throws(
          () => verb(written),
          (error: unknown) =>
            InputError.is(error) && error.code === code && message.test(error.message),
        );
    });
  }

  test('names of built-in object properties are neither members nor parameters', () => {
    for (const written of [
      'constructor',
      '__proto__',
      'toString',
      'saw(constructor=1)',
      'saw(__proto__=1)',
      'saw(toString=1)',
    ])
      assert.throws(() => tools.create(written), InputError, written);
  });
});

test('extending a family does not change it, and two members cannot share a name', () => {
  const more = tools.with(plain('hammer'));
  assert.equal(more.create('hammer').name, 'hammer');
  assert.equal(more.create('saw').name, 'saw(teeth=12)');
  assert.throws(() => tools.create('hammer'), { code: 'unknown-tool' });
  assert.throws(() => tools.with(plain('saw')), { code: 'duplicate-name' });
});

describe('settings are typed by the declared parameters', () => {
  interface Drill {
    readonly name: string;
    readonly speed: number;
    readonly bit: 'wood' | 'stone';
    readonly label: string;
    readonly hammer: boolean;
    readonly stand: Name;
  }
  const drill: Member<Drill> = member({
    name: 'drill',
    summary: '',
    parameters: [
      { name: 'speed', type: 'integer', default: 3, summary: '' },
      { name: 'ratio', type: 'number', default: 0.5, summary: '' },
      { name: 'bit', type: 'text', default: 'wood', choices: ['wood', 'stone'], summary: '' },
      { name: 'label', type: 'text', default: '', summary: '' },
      { name: 'hammer', type: 'flag', default: false, summary: '' },
      { name: 'stand', type: 'member', default: { name: 'none', args: [] }, summary: '' },
    ],
    create(settings, name) {
      const { speed, bit, label, hammer, stand } = settings;
      // @ts-expect-error A key that no parameter declares does not compile.
      void settings.sped;
      // @ts-expect-error An integer is no text.
      const text: string = settings.speed;
      // @ts-expect-error A choice that is not declared does not compile.
      const steel = settings.bit === 'steel';
      // @ts-expect-error A flag is no number.
      const number: number = settings.hammer;
      // @ts-expect-error A parsed name is no text.
      const printed: string = settings.stand;
      void [text, steel, number, printed];
      return { name, speed: speed * settings.ratio, bit, label, hammer, stand };
    },
  });

  test('settings have the declared types', () => {
    const made = family<Drill>('tool', [drill]).create('drill(speed=4, bit=stone, hammer=true)');
    assert.deepEqual(made, {
      name: 'drill(speed=4, bit=stone, hammer=true)',
      speed: 2,
      bit: 'stone',
      label: '',
      hammer: true,
      stand: { name: 'none', args: [] },
    });
  });

  test('a value of another shape does not compile', () => {
    const wrong: Member<Drill> = member({
      name: 'wrong',
      summary: '',
      parameters: [],
      // @ts-expect-error The family's members have a speed.
      create: (_, name) => ({ name }),
    });
    // @ts-expect-error A type that no parameter has does not compile.
    const typed = member<Drill>({ name: 'typed', summary: '', parameters: [{ type: 'real' }] });
    assert.deepEqual([wrong.name, typed.name], ['wrong', 'typed']);
  });

  test('defaults are typed like settings', () => {
    const defaults = defaultsOf([
      { name: 'k', type: 'integer', default: 5, summary: '' },
      { name: 'form', type: 'text', default: 'a', choices: ['a', 'b'], summary: '' },
    ]);
    const form: 'a' | 'b' = defaults.form;
    // @ts-expect-error `k` is a number.
    const k: string = defaults.k;
    assert.deepEqual([k, form], [5, 'a']);
  });
});
