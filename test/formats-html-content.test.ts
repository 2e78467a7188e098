/** Tests which parts of an HTML page are content: pages with what they must keep and leave out. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_LIMITS, memorySource } from '../src/documents/files/source.ts';
import type { DetectedFormat } from '../src/documents/format.ts';
import { html } from '../src/documents/formats/html/html.ts';

type Found = Extract<DetectedFormat, { type: 'document' }>;

async function found(body: string, title: string = 'Harbour of Tarn'): Promise<Found> {
  const page = `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;
  for await (const each of html.read(memorySource('a.html', page), DEFAULT_LIMITS)) {
    assert.equal(each.type, 'document');
    return each as Found;
  }
  throw new Error('nothing was read');
}

interface Case {
  readonly html: string;
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
}

const MENU = ['Start', 'Boats', 'Crews', 'Prices'].map(name => `<li><a href="${name}">${name}</a>`);
const NAV = `<nav><ul>${MENU.join('')}</ul></nav>`;
const PROSE = '<p>The quay opens at six. Boats leave when the tide is high.</p>';

const CASES: Readonly<Record<string, Case>> = {
  'a form around the page': {
    html: `<form action="x.aspx"><input type="hidden" value="abc"><h1>Fees</h1><p>A berth costs 40 crowns.</p>
      <table><tr><th>Boat</th><th>Fee</th></tr><tr><td>Yawl</td><td>12</td></tr></table><input type="submit" value="Go"></form>`,
    has: ['40 crowns', 'Boat: Yawl | Fee: 12'],
    lacks: ['abc', 'Go'],
  },
  'a question of a form with choices to tick': {
    html: `${PROSE}<form><fieldset><legend>How do you arrive?</legend><label><input type="radio">By ferry</label></fieldset></form>`,
    has: ['How do you arrive?', 'By ferry'],
  },
  'text for browsers without scripts, where the page has no other': {
    html: `<div id="root"></div><noscript><h1>Locks</h1>${PROSE}<p>Switch JavaScript on for the map.</p></noscript>`,
    has: ['The quay opens at six'],
    lacks: ['JavaScript'],
  },
  'text for browsers without scripts beside content': {
    html: `<main><h1>Locks</h1>${PROSE}<h2>Map</h2><noscript>The map needs scripts. Turn them on.</noscript><p>Toll <noscript>(by list)</noscript> 4 crowns.</p></main>`,
    has: ['Toll 4 crowns.', 'Map'],
    lacks: ['needs scripts', 'by list'],
  },
  'a shadow root that the page declares': {
    html: `<harbour-card><template shadowrootmode="open">${PROSE}</template></harbour-card><template><p>Copy of a row. Filled later.</p></template>`,
    has: ['The quay opens at six'],
    lacks: ['Copy of a row'],
  },
  ...Object.fromEntries(
    [
      ['section', 'class="footnotes"'],
      ['section', 'role="doc-endnotes"'],
      ['aside', 'id="footnotes" class="footnotes-end-of-document"'],
      ['footer', 'class="post-endnotes"'],
      ['div', 'role="doc-bibliography"'],
    ].map(([name, attributes]) => [
      `notes below an article: ${name} ${attributes}`,
      {
        html: `${NAV}<article><h1>Locks</h1>${PROSE}<p>Pay first.<a href="#n1">1</a></p></article><${name} ${attributes}><ol><li id="n1">Barges pay twice.</li></ol></${name}><div><h3>More</h3><p>Read on.</p></div><footer>Imprint of Tarn</footer>`,
        has: ['Barges pay twice.'],
        lacks: ['Imprint', 'Read on'],
      },
    ]),
  ),
  'links of a list that prose introduces and an element of its own holds': {
    html: `<h1>Ports</h1><h2>North</h2><h3>Brae</h3><h4>Maps</h4>${PROSE}<div class="itemizedlist"><ul><li><a href="a">Chart of the sound</a></li><li><a href="b">Chart of the mole</a></li><li><a href="c">Chart of the quay</a></li></ul></div><h4>Names</h4><p>They are old. Nobody knows how old.</p>`,
    has: ['Chart of the mole'],
  },
  'a form to write into': {
    html: `<p>The quay opens at six. It shuts at ten.</p><form><label>Your mail</label><input type="email"><button>Send</button></form>`,
    has: ['opens at six'],
    lacks: ['Your mail', 'Send'],
  },
  'content that is called contents': {
    html: `${NAV}<div id="contents"><h1>Rules</h1><p>Dogs stay on a lead.</p></div>`,
    has: ['Dogs stay on a lead.'],
    lacks: ['Crews'],
  },
  'the menu of an inn': {
    html: `<h1>The Anchor inn</h1><div class="menu"><p>Eel soup 9 crowns</p><p>Rye bread 2 crowns</p></div>`,
    has: ['Eel soup 9 crowns', 'Rye bread 2 crowns'],
  },
  'a menu of links': {
    html: `${PROSE}<div class="menu"><ul>${MENU.join('')}</ul></div>`,
    has: ['opens at six'],
    lacks: ['Crews'],
  },
  'a sidebar with a note, and one with links': {
    html: `<main>${PROSE}<div class="sidebar"><p>Bring a torch with you.</p></div><div class="sidebar">${NAV}</div></main>`,
    has: ['Bring a torch'],
    lacks: ['Crews'],
  },
  'an aside in the content': {
    html: `<article><h1>Mooring</h1>${PROSE}<aside><p>Warning: ropes freeze in March.</p></aside></article>`,
    has: ['ropes freeze in March'],
  },
  'an aside of links': {
    html: `<main><h1>Mooring</h1>${PROSE}<aside><h2>See too</h2><ul>${MENU.join('')}</ul></aside></main>`,
    has: ['opens at six'],
    lacks: ['Crews', 'See too'],
  },
  'panels of tabs': {
    html: `<main>${PROSE}<div role="tablist"><button role="tab" aria-controls="n">North</button><button role="tab" aria-controls="s">South</button></div>
      <div role="tabpanel" id="n"><p>Four berths</p></div><div role="tabpanel" id="s" hidden><p>Nine berths</p></div>
      <p>Moor here.</p><div class="tab-pane fade" style="display:none" aria-hidden="true"><p>Ten berths</p></div></main>`,
    has: ['Four berths', 'Nine berths', 'Ten berths'],
  },
  'hidden parts that something opens': {
    html: `<main>${PROSE}<h3><button aria-expanded="false" aria-controls="a1">May I fish?</button></h3><div id="a1" hidden><p>From the mole only</p></div>
      <ul><li><a href="#p2">Costs</a></li></ul><div id="p2" aria-hidden="true"><p>Two crowns a day</p></div>
      <details><summary>May I swim?</summary><div hidden="until-found"><p>Never</p></div></details>
      <div class="slide one">Spring fair</div><div class="slide two" hidden>Autumn fair</div></main>`,
    has: [
      'May I fish?',
      'From the mole only',
      'Two crowns a day',
      'May I swim?',
      'Never',
      'Autumn fair',
    ],
  },
  'hidden parts that nothing opens, templates and dialogs': {
    html: `<main>${PROSE}<div hidden>No results found</div><template><p>Row of name</p></template><dialog open>Accept cookies. All of them.</dialog>
      <div role="dialog" aria-modal="true"><p>Sign up now. It is free.</p></div><span aria-hidden="true">icon</span></main>`,
    has: ['opens at six'],
    lacks: ['No results', 'Row of name', 'cookies', 'Sign up', 'icon'],
  },
  'questions in buttons': {
    html: `<main>${PROSE}<button aria-expanded="false">Who repairs nets?</button><div><p>The sail loft.</p></div>
      <button><h3>Who sells bait?</h3></button><p>The shop.</p><button>Copy</button><pre>tide --now</pre></main>`,
    has: ['Who repairs nets?', 'Who sells bait?', 'tide --now'],
    lacks: ['Copy'],
  },
  'a button that a sentence names': {
    html: `<main><p>Press <button>Start</button> to raise the flag. It is red.</p></main>`,
    has: ['Press Start to raise'],
  },
  'a list of links below a heading': {
    html: `<div><h1>Logs of Bo Lind</h1><p>Written since 1990.</p><ul><li><a href="1">Winter on the ice (1991)</a><li><a href="2">Two keels (1994)</a><li><a href="3">Fog (1999)</a></ul></div>`,
    has: ['Two keels (1994)'],
  },
  'members in a table of links, below a sentence': {
    html: `<div class="contents"><p>Members of Keel:</p><table><tr><td><a href="1">length()</a></td><td><a href="2">Keel</a></td></tr>
      <tr><td><a href="3">depth()</a></td><td><a href="2">Keel</a></td></tr><tr><td><a href="4">oak()</a></td><td><a href="2">Keel</a></td></tr></table></div>`,
    has: ['Members of Keel', 'length() | Keel', 'oak() | Keel'],
  },
  'anchors that are not closed': {
    html: `<ul><li><a name="a">Moor at the mole<li><a name="b">Pay the keeper<li><a name="c">Sail at noon</ul>`,
    has: ['Moor at the mole', 'Pay the keeper', 'Sail at noon'],
  },
  'links within items that say more': {
    html: `<ul><li><a href="1">Bo Lind</a> (keeper)<li><a href="2">Ada Quill</a> (pilot)<li><a href="3">Eva Roe</a> (cook)</ul>`,
    has: ['Bo Lind (keeper)', 'Eva Roe (cook)'],
  },
  'a list of links that nothing introduces': {
    html: `<div><ul>${MENU.join('')}</ul></div><div><h1>Tides</h1>${PROSE}</div>`,
    has: ['opens at six'],
    lacks: ['Crews'],
  },
  'a post above comments that are articles': {
    html: `<div class="post"><div><h1>Caulking a hull</h1></div><p>Heat the tar to 90 degrees.</p></div><div>${'<article><p>I did so too. It worked well for me, and my boat has been dry ever since.</p></article>'.repeat(3)}</div>`,
    has: ['90 degrees', 'I did so too.'],
  },
  'articles that hold all but furniture': {
    html: `<div><a href="/">Site</a></div><article><h1>Tar</h1>${PROSE}</article><div>Ad: buy now.</div>`,
    has: ['opens at six'],
    lacks: ['buy now'],
  },
  'a main part that holds no prose': {
    html: `<main><h1>Harbour of Tarn</h1></main><div><p>The keeper lives on the mole. He has two dogs.</p></div>`,
    has: ['The keeper lives'],
  },
  'the header of an entry, and that of a page': {
    html: `<header><a href="/">Site of Tarn</a>${NAV}</header><div><header class="top"><h1>Storm warning lifted</h1><p>Bo Lind, 7 May</p></header>${PROSE}</div>`,
    has: ['Storm warning lifted', 'Bo Lind, 7 May'],
    lacks: ['Crews'],
  },
  'the footer of a quotation': {
    html: `<main>${PROSE}<blockquote><p>Fair winds.</p><footer>Ada Quill, pilot</footer></blockquote></main>`,
    has: ['Ada Quill, pilot'],
  },
};

describe('HTML: what is content', () => {
  for (const [name, { html: body, has, lacks = [] }] of Object.entries(CASES))
    test(name, async () => {
      const { document } = await found(body);
      const text = `${document.title}\n${document.text}`;
      for (const part of has) assert.ok(text.includes(part), `${part} in:\n${text}`);
      for (const part of lacks) assert.ok(!text.includes(part), `no ${part} in:\n${text}`);
    });

  test('a page of which the rules leave no prose is kept whole, and says so', async () => {
    const { document, notes, words } = await found(
      `${NAV}<p>Welcome to the office of the harbour.</p><footer><p>The mole is shut.</p></footer>`,
    );
    assert.match(document.text, /The mole is shut/);
    assert.match(document.text, /Crews/);
    assert.match(notes![0]!, /kept whole/);
    assert.equal(words!.kept, words!.visible);
  });

  test('a page says how many of its words it keeps', async () => {
    const { words, notes } = await found(
      `${NAV}<main>${PROSE}</main><script>let hidden = 1;</script>`,
    );
    assert.deepEqual(words, { kept: 12, visible: 16 });
    assert.equal(notes, undefined);
  });

  test('the title is none of a picture, and a head ends where the body begins', async () => {
    const { document } = await found(
      '<svg><title>Magnifier</title></svg><h1>Lamps</h1><p>Trim the wick.</p>',
      '',
    );
    assert.ok(!document.title.includes('Magnifier'));
    const page = '<html><head><title>Open head of it</title><body><p>Words of the body.</body>';
    for await (const each of html.read(memorySource('b.html', page), DEFAULT_LIMITS))
      assert.equal((each as Found).document.text, 'Words of the body.');
  });
});
