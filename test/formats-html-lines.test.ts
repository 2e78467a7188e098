/** Tests what a line of HTML means: raised and lowered text, marks of notes, formulas, images. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPage } from './format-blocks.ts';

/** HTML of a paragraph, and its text. */
const LINES: readonly (readonly [html: string, text: string])[] = [
  ['9<sup>4</sup> ways', '9^4 ways'],
  ['4 m<sup>2</sup>, 2<sup>-3</sup> and x<sup>2n+1</sup>', '4 m^2, 2^-3 and x^(2n+1)'],
  ['the 3<sup>rd</sup>, 21<sup>st</sup> and n<sup>th</sup> of May', 'the 3rd, 21st and nth of May'],
  ['le 1<sup>er</sup> mai, XX<sup>e</sup> et M<sup>me</sup> Roux', 'le 1er mai, XXe et Mme Roux'],
  ['warm at 40<sup>o</sup>C', 'warm at 40°C'],
  ['Ca<sup>2+</sup> and Na<sup>+</sup>', 'Ca^2+ and Na+'],
  ['<sup>14</sup>C is old', '14C is old'],
  ['Tarn<sup>TM</sup> and Reg<sup>®</sup>', 'Tarn TM and Reg®'],
  ['fast<sup>beta</sup> mode', 'fast beta mode'],
  ['up to 70<sup><a href="#n2">2</a></sup> kg', 'up to 70[2] kg'],
  ['up to 70<a href="#n2"><sup>2</sup></a> kg', 'up to 70[2] kg'],
  ['up to 70<a epub:type="noteref" href="n.xhtml#n2">2</a> kg', 'up to 70[2] kg'],
  ['as said<sup><a href="#c3">[3]</a></sup>.', 'as said[3].'],
  ['CO<sub>2</sub> and H<sub>2</sub>SO<sub>4</sub>', 'CO2 and H2SO4'],
  ['101<sub>2</sub> is five, log<sub>10</sub>100 two', '101_2 is five, log10 100 two'],
  ['2<sup>1</sup>/<sub>2</sub> cups', '2 1/2 cups'],
  [
    'press <span><span hidden>Cmd</span><span hidden>Ctrl</span></span>+S<i aria-hidden="true">x</i>',
    'press Cmd Ctrl+S',
  ],
  ['30<span style="vertical-align: super">3</span> grains', '30^3 grains'],
  ['so <script type="math/tex">c^2</script> holds', 'so c^2 holds'],
  ['<a href="/fair"><img src="f.png" alt="Banner"> Spring fair</a> begins', 'Spring fair begins'],
  ['Press <img src="k.png" alt="Enter"> twice', 'Press Enter twice'],
  ['<img src="a.png" alt="Plan of the mole">', 'Plan of the mole'],
  ['<img alt="Bo Lind" src="b.png"> by Bo Lind', 'by Bo Lind'],
  ['<img alt="" src="x.png">plain <img alt="pic_04.jpg" src="y.png">words', 'plain words'],
  [
    'so <math><msup><mi>c</mi><mn>2</mn></msup><mo>=</mo><mfrac><mi>a</mi><mi>b</mi></mfrac></math> holds',
    'so c^2 = a/b holds',
  ],
  [
    'so <math><semantics><mrow><mi>c</mi></mrow><annotation encoding="application/x-tex">\\sqrt{c}</annotation></semantics></math> holds',
    'so \\sqrt{c} holds',
  ],
];

describe('HTML: what a line means', () => {
  for (const [line, text] of LINES)
    test(line, async () => {
      const page = await readPage('a.html', `<p>${line}</p><p>End of it.</p>`);
      assert.equal(page.text, `${text}\n\nEnd of it.`);
    });

  test('an alternative of an image that the page says elsewhere is not said again', async () => {
    const page = await readPage(
      'a.html',
      '<main><h1>Two boats of ours</h1><a href="y"><img alt="The red yawl"></a><p><a href="y">The red yawl</a></p><p>It is old. It leaks.</p></main>',
    );
    assert.equal(page.text.match(/The red yawl/g)?.length, 1);
  });

  test('an icon above a text that it marks is not said; pictures, signs, icons in lines and cells are', async () => {
    const small = 'width="40" height="40"';
    const page = await readPage(
      'a.html',
      `<div class="hint"><div><img alt="Hint sign" style="width:40px;height:40px;"></div><p>Moor at noon.</p></div>
      <div><img alt="Signe d’avis" ${small}></div><p>Press <img alt="Anchor" ${small}> then.</p>
      <p><img alt="x²" ${small}></p><p><img alt="Plan of the quay" width="400" height="40"></p>
      <table><tr><th>Berth</th><th>Free</th></tr><tr><td>North</td><td><img alt="Yes" ${small}></td></tr></table>`,
    );
    assert.equal(
      page.text,
      'Moor at noon.\n\nPress Anchor then.\n\nx²\n\nPlan of the quay\n\nBerth: North | Free: Yes',
    );
  });

  test('Spanish ordinals have a raised vowel', async () => {
    const page = await readPage(
      'a.html',
      '<html lang="es"><body><p>El 2<sup>o</sup> y la 3<sup>a</sup> planta.</p>',
    );
    assert.equal(page.text, 'El 2o y la 3a planta.');
  });
});
