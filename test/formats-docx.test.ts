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
    'So E = c^2 + (a + b)/2x_i holds.',
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
