/** Tests Word documents beyond plain runs: formulas, images, boxes, fields, notes, edges. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readDocuments } from '../src/documents/index.ts';
import { readPage } from './format-blocks.ts';
import { docxOf, paragraph } from './office-files.ts';
import { freshFolder } from './running-command.ts';
import { zipOf } from './zip-archive.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SPACES = `xmlns:w="${W}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"`;
/** Returns a document with all prefixes of Word. */
const wordOf = (body: string): Buffer =>
  docxOf('', { content: `<w:document ${SPACES}><w:body>${body}</w:body></w:document>` });
const run = (text: string, properties = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const line = (...runs: readonly string[]): string => `<w:p>${runs.join('')}</w:p>`;
const formula = (inside: string): string => `<m:oMath>${inside}</m:oMath>`;
const m = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const part = (name: string, inside: string): string => `<m:${name}>${inside}</m:${name}>`;
const row = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map(cell => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`;

const BODIES: Readonly<Record<string, readonly [body: string, expected: string]>> = {
  'fractions, powers and indices': [
    line(
      run('So '),
      formula(
        m('E=') +
          part('sSup', part('e', m('c')) + part('sup', m('2'))) +
          m('+') +
          part('f', part('num', m('a+b')) + part('den', m('2'))) +
          part('sSub', part('e', m('x')) + part('sub', m('i'))),
      ),
      run(' holds.'),
    ),
    'So E = c^2 + ((a + b)/2)x_i holds.',
  ],
  'a fraction before a power, a root and a product as what they are': [
    line(
      formula(
        part('f', part('num', m('a')) + part('den', m('b'))) +
          part('sSup', part('e', m('c')) + part('sup', m('2'))) +
          part('rad', `<m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${part('e', m('x'))}`) +
          m('=') +
          part('f', part('num', m('1')) + part('den', m('2') + m('y'))) +
          m('+') +
          part('sSup', part('e', m('e')) + part('sup', m('2') + m('x'))) +
          m('−') +
          part(
            'func',
            part('fName', m('sin')) +
              part('e', part('f', part('num', m('p')) + part('den', m('q')))),
          ) +
          m('+') +
          part(
            'f',
            `<m:fPr><m:type m:val="noBar"/></m:fPr>${part('num', m('n'))}${part('den', m('k'))}`,
          ),
      ),
    ),
    '(a/b)c^2 sqrt(x) = 1/(2y) + e^(2x) − sin (p/q) + binom(n, k)',
  ],
  'roots, sums, functions and brackets': [
    line(
      `<m:oMathPara>${formula(
        part('rad', `<m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${part('e', m('y'))}`) +
          m('=') +
          part(
            'nary',
            '<m:naryPr><m:chr m:val="∑"/></m:naryPr>' +
              part('sub', m('i=1')) +
              part('sup', m('n')) +
              part('e', m('i')),
          ) +
          m('+') +
          part('func', part('fName', m('sin')) + part('e', m('t'))) +
          m('+') +
          part(
            'd',
            `<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>${part('e', m('u'))}`,
          ),
      )}</m:oMathPara>`,
    ),
    'sqrt(y) = ∑_(i = 1)^n i + sin t + [u]',
  ],
  'simple fields': [
    line(
      run('Table '),
      `<w:fldSimple w:instr=" SEQ Table ">${run('7')}</w:fldSimple>`,
      run(': Boats'),
    ),
    'Table 7: Boats',
  ],
  'characters with their reading': [
    line(
      `<w:r><w:ruby><w:rubyPr/><w:rt>${run('みなと')}</w:rt><w:rubyBase>${run('港')}</w:rubyBase></w:ruby></w:r>`,
      run('です'),
    ),
    '港(みなと)です',
  ],
  'what an image shows': [
    line(
      run('See'),
      '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="A ferry at &quot;Holm&quot;"/></wp:inline></w:drawing></w:r>',
      run('it.'),
    ),
    'See A ferry at "Holm" it.',
  ],
  'a text box, once': [
    line(
      run('Before.'),
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData><wps:txbx><w:txbxContent>${line(run('In the box.'))}</w:txbxContent></wps:txbx></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${line(run('In the box.'))}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
    ),
    'Before.\n\nIn the box.',
  ],
  'insertions, without deletions': [
    line(
      run('Sails '),
      `<w:ins>${run('two')}</w:ins><w:del><w:r><w:delText>three</w:delText></w:r></w:del>`,
      run(' masts.'),
    ),
    'Sails two masts.',
  ],
  'raised digits': [
    line(
      run('Holds 10'),
      run('6', '<w:vertAlign w:val="superscript"/>'),
      run(' litres of H'),
      run('2', '<w:vertAlign w:val="subscript"/>'),
      run('O.'),
    ),
    'Holds 10^6 litres of H2O.',
  ],
  'boxes that are ticked': [
    line(
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('☒')}</w:sdtContent></w:sdt>`,
      run('Ship it'),
    ),
    '[x] Ship it',
  ],
  'heads of a table by their bold type, below cells that they cover': [
    `<w:tbl>${row(line(run('Shop', '<w:b/>')), line(run('Sales', '<w:b/>')))}${row(`<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>${line(run('East'))}`, line(run('3')))}${row('<w:tcPr><w:vMerge/></w:tcPr><w:p/>', line(run('4')))}${row(`<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${line(run('closed'))}`)}</w:tbl>`,
    'Shop: East | Sales: 3\n\nShop: East | Sales: 4\n\nclosed',
  ],
};

describe('Word documents say', () => {
  for (const [name, [body, expected]] of Object.entries(BODIES))
    test(name, async () => assert.equal((await readPage('a.docx', wordOf(body))).text, expected));
});

/** A document with further parts. */
function withParts(parts: Readonly<Record<string, string>>): Buffer {
  const main = 'http://schemas.openxmlformats.org';
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${main}/package/2006/content-types"/>`,
    '_rels/.rels': `<Relationships xmlns="${main}/package/2006/relationships"/>`,
    'word/document.xml': `<w:document ${SPACES}><w:body>${paragraph('The body.')}</w:body></w:document>`,
    ...parts,
  });
}

test('headers, footers and charts stand once each, below the body', async () => {
  const edge = (name: string, text: string): string =>
    `<w:${name} ${SPACES}>${line(run(text))}</w:${name}>`;
  const document = withParts({
    'word/header1.xml': edge('hdr', 'Isles Ferry Ltd'),
    'word/header2.xml': edge('hdr', 'Isles Ferry Ltd'),
    'word/footer1.xml': edge('ftr', '3'),
    'word/charts/chart1.xml': `<c:chart xmlns:c="c" xmlns:a="a"><a:p><a:r><a:t>Catch by year</a:t></a:r></a:p><c:cat><c:pt><c:v>2020</c:v></c:pt><c:pt><c:v>2021</c:v></c:pt></c:cat></c:chart>`,
  });
  assert.equal(
    (await readPage('a.docx', document)).text,
    'The body.\n\nCatch by year\n\n2020 2021\n\nIsles Ferry Ltd',
  );
});

test('comments of reviewers are left out, and said to be', async () => {
  const comment = `<w:comment w:id="1">${line(run('Is it so?'))}</w:comment>`;
  const document = withParts({
    'word/comments.xml': `<w:comments ${SPACES}>${comment}</w:comments>`,
  });
  const folder = freshFolder();
  writeFileSync(join(folder, 'a.docx'), document);
  for await (const found of readDocuments([folder])) {
    assert.ok('document' in found);
    assert.deepEqual(found.notes, ['1 comments of its reviewers are left out']);
  }
});

const level = (at: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const instance = (id: number, list: number, more = ''): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${list}"/>${more}</w:num>`;
const NUMBERING = `<w:numbering xmlns:w="${W}">
  <w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}${level(2, 'upperRoman', '%1.%2.%3')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="1">${level(0, 'upperRoman', 'Part %1', '<w:pStyle w:val="Heading1"/>')}${level(1, 'decimal', '%1.%2', '<w:isLgl/><w:pStyle w:val="Heading2"/>')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="2">${level(0, 'bullet', '•')}${level(1, 'chineseCounting', '第%2条')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="3">${level(0, 'decimal', '§ %1', '<w:lvlRestart w:val="0"/>')}</w:abstractNum>
  ${instance(1, 0)}${instance(2, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>')}
  ${instance(3, 1)}${instance(4, 2)}${instance(5, 3, `<w:lvlOverride w:ilvl="0">${level(0, 'ordinal', '%1')}</w:lvlOverride>`)}</w:numbering>`;
const heading = (id: number, more = ''): string =>
  `<w:style w:type="paragraph" w:styleId="Heading${id}"><w:name w:val="heading ${id}"/>${more}</w:style>`;
const STYLES = `<w:styles xmlns:w="${W}">${heading(1, '<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>')}${heading(2, '<w:basedOn w:val="Heading1"/>')}</w:styles>`;
const item = (text: string, id: number, at = 0, more = ''): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>${more}</w:pPr>${run(text)}</w:p>`;
const titled = (text: string, id: number): string =>
  `<w:p><w:pPr><w:pStyle w:val="Heading${id}"/></w:pPr>${run(text)}</w:p>`;

const NUMBERED: Readonly<Record<string, readonly [body: string, expected: readonly string[]]>> = {
  'letters below numbers, begun anew below the next': [
    item('bow', 1) + item('rope', 1, 1) + item('knot', 1, 1) + item('stern', 1) + item('oar', 1, 1),
    ['1. bow', 'a) rope', 'b) knot', '2. stern', 'a) oar'],
  ],
  'outer levels in the number of an inner one, also those that no item has': [
    item('bow', 1) + item('pin', 1, 2) + item('eye', 1, 2) + item('rope', 1, 1),
    ['1. bow', '1.a.I pin', '1.a.II eye', 'b) rope'],
  ],
  'lists that go on after other text, and those that begin anew': [
    item('bow', 1) + line(run('Then wait.')) + item('stern', 1) + item('keel', 2) + item('rib', 2),
    ['1. bow', 'Then wait.', '2. stern', '7. keel', '8. rib'],
  ],
  'headings that their style numbers': [
    titled('Hull', 1) +
      titled('Planks', 2) +
      titled('Frames', 2) +
      titled('Rig', 1) +
      titled('Mast', 2),
    ['Part I Hull', '1.1 Planks', '1.2 Frames', 'Part II Rig', '2.1 Mast'],
  ],
  'other formats, and no number for signs and for what was numbered before a change': [
    item('tar', 4) +
      item('rope', 4, 1) +
      item('oil', 5) +
      item('wax', 5) +
      `<w:p><w:pPr><w:pPrChange><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:pPrChange></w:pPr>${run('Plain.')}</w:p>` +
      item('none', 0),
    ['- tar', '第一条 rope', '1st oil', '2nd wax', 'Plain.', 'none'],
  ],
};

describe('Word documents number', () => {
  for (const [name, [body, expected]] of Object.entries(NUMBERED))
    test(name, async () => {
      const bytes = withParts({
        'word/document.xml': `<w:document ${SPACES}><w:body>${body}</w:body></w:document>`,
        'word/_rels/document.xml.rels': RELATIONS,
        'word/numbering.xml': NUMBERING,
        'word/styles.xml': STYLES,
      });
      const { text } = await readPage('a.docx', bytes);
      assert.deepEqual(text.split('\n\n'), expected);
    });
});
const RELATIONS = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${['numbering', 'styles'].map(name => `<Relationship Id="${name}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}" Target="${name}.xml"/>`).join('')}</Relationships>`;
