/** Tests the blocks of manual pages, in the macros of man and of mdoc. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readPage, shownBlocks } from './format-blocks.ts';

const MAN = `.\\" A comment
.TH WAIT 1 "2024-01-02" "Tools 2" "User Commands"
.de XX
hidden
..
.SH NAME
wait \\- waits for \\(lqthings\\(rq
.SH "SEE THIS"
First \\fBbold\\fR
.I and second
.BR wait (2) .
.PP
.B New
paragraph.
.TP
\\fB\\-a\\fR, \\fB\\-\\-all\\fR
Everything.
.sp
At once.
.TP
.B term
Means it.
.IP \\(bu 2
an item
.PP
\\-\\-old
.RS 4
DocBook\\(cqs option.
.RE
.nf
  let a;

b();
.fi
.if t hidden
.if n shown
.ie t \\{\\
hidden
.\\}
.el else
.SS Table
.TS
tab(:);
lb l.
wait:5
T{
hold
T}:6
.TE
`;

test('man: each construct is a block of its own, with its headings and its line', async () => {
  const document = await readPage('man/wait.1', MAN);
  assert.equal(document.title, 'wait(1) - waits for “things”');
  assert.deepEqual(document.metadata, { published_at: '2024-01-02' });
  assert.deepEqual(shownBlocks(document), [
    '6 heading [NAME] NAME',
    '7 prose [NAME] wait - waits for “things”',
    '8 heading [SEE THIS] SEE THIS',
    '9 prose [SEE THIS] First bold and second wait(2).',
    '13 prose [SEE THIS] New paragraph.',
    '16 option [SEE THIS] -a, --all: Everything.',
    '19 prose [SEE THIS > -a, --all] At once.',
    '21 definition [SEE THIS] term: Means it.',
    '23 list-item [SEE THIS] - an item',
    '26 option [SEE THIS] --old: DocBook’s option.',
    '31 code [SEE THIS]   let a;\nb();',
    '36 prose [SEE THIS] shown else',
    '41 heading [SEE THIS > Table] Table',
    '45 table-row [SEE THIS > Table] wait | 5',
    '46 table-row [SEE THIS > Table] hold | 6',
  ]);
});

const MDOC = `.Dd January 2, 2024
.Dt SSH 1
.Os
.Sh NAME
.Nm ssh
.Nd logs in
.Sh SYNOPSIS
.Nm
.Op Fl 46
.Op Fl B Ar interface
.Op Fl D Oo Ar address : Oc Ns Ar port
.Sh OPTIONS
.Bl -tag -width Ds
.It Fl a , Fl -all
Uses
.Xr ssh-agent 1 ,
.Dq quoted words .
.Pp
More of
.Pa ~/.ssh .
.Bl -bullet
.It
one
.It
two
.El
.It Cm yes
Agrees.
.El
.Bl -column a b
.It wait Ta 5
.El
.Bd -literal
$ ssh host

$ exit
.Ed
.Dl $ ls -l
`;

test('mdoc: macros inside lines are text, lists are definitions and items', async () => {
  const document = await readPage('man/ssh.1.gz', gzipSync(MDOC));
  assert.equal(document.title, 'ssh(1) - logs in');
  assert.deepEqual(shownBlocks(document), [
    '4 heading [NAME] NAME',
    '5 prose [NAME] ssh - logs in',
    '7 heading [SYNOPSIS] SYNOPSIS',
    '8 prose [SYNOPSIS] ssh [-46] [-B interface] [-D [address:]port]',
    '12 heading [OPTIONS] OPTIONS',
    '14 option [OPTIONS] -a, --all: Uses ssh-agent(1), “quoted words”.',
    '19 prose [OPTIONS > -a, --all] More of ~/.ssh.',
    '22 list-item [OPTIONS > -a, --all] - one',
    '24 list-item [OPTIONS > -a, --all] - two',
    '27 definition [OPTIONS] yes: Agrees.',
    '31 table-row [OPTIONS] wait | 5',
    '34 code [OPTIONS] $ ssh host\n$ exit',
    '38 code [OPTIONS] $ ls -l',
  ]);
});

test('a file with the extension of a section is a manual page by its beginning alone', async () => {
  assert.equal((await readPage('wait.3pm', MAN)).title, 'wait(1) - waits for “things”');
  assert.equal((await readPage('app.log.1', 'One line.')).text, 'One line.');
  await assert.rejects(readPage('page.1', '.so man1/other.1\n'), /stands for the manual page/);
});

const LINES: Readonly<Record<string, readonly [lines: string, expected: readonly string[]]>> = {
  'letters with accents, by name, by mark and by number': [
    "manuten\\(,c\\(~ao \\(:Uber \\[^e]t\\[:u] \\(ae \\(/o \\(oa \\(*l \\[u00E9] \\[u0061_0301] \\N'233' \\[vs]",
    ['manutenção Über êtü æ ø å λ é á é š'],
  ],
  'powers of numbers': ['2\\u32\\d bytes, up to 10\\u-3\\d.', ['2^32 bytes, up to 10^-3.']],
  'texts that conditions compare': [
    ".if !'po4a'hide' shown,\n.ie 'a'b' wrong\n.el right,\n.if '\\*[.T]'ps' printed\nend.",
    ['shown, right, end.'],
  ],
  'links with their texts': [
    '.URL "https://x.org" "The archive" .\n.MTO ann@x.org Ann ,\n.UR https://y.org\nthe page\n.UE .\n.UR https://z.org\n.UE',
    ['The archive <https://x.org>. Ann <ann@x.org>, the page <https://y.org>. https://z.org'],
  ],
  'arguments of macros that a page defines, if it prints them': [
    '.de FN\n\\fI\\|\\\\$1\\|\\fP\n..\n.de IX\n.tm \\\\$1\n..\nReads\n.FN /etc/boats .\n.IX unseen',
    ['Reads /etc/boats.'],
  ],
  'a heading on the line below its macro': [
    'Low.\n.SH\nTIDES OF HOLM\nHigh.',
    ['Low.', 'TIDES OF HOLM', 'High.'],
  ],
  'heads of a table above a rule or in bold, and cells that span': [
    `.TS
tab(:);
l l.
Port:Depth
_
Holm:T{
nine
feet
T}
.TE
.TS
allbox tab(@);
cb s cb
l l lfCW
^ l l.
Boats@@Crew
Ann@old@2
\\^@new@3
.TE`,
    [
      'Port: Holm | Depth: nine feet',
      'Boats: Ann | Boats: old | Crew: 2',
      'Boats: Ann | Boats: new | Crew: 3',
    ],
  ],
};

for (const [name, [lines, expected]] of Object.entries(LINES))
  test(name, async () => {
    const page = await readPage('a.1', `.nh\n.TH BOATS 1\n${lines}\n`);
    assert.deepEqual(page.text.split('\n\n'), expected);
  });

test('mdoc: words behind a mark of no width, and other words with a percent sign, are no macros', async () => {
  const page = await readPage(
    'a.5',
    '.Dd May 1, 2020\n.Dt S 5\n.Sh T\n.Bl -tag\n.It \\&%C\nA hash.\n.It %h\nA host.\n.El\n',
  );
  assert.deepEqual(page.text.split('\n\n').slice(1), ['%C: A hash.', '%h: A host.']);
});
