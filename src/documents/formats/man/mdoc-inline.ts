/** Lines of mdoc, the macros of BSD manual pages, as running text (mdoc(7)). */

/** Marks around the arguments of a macro, to the end of its line. */
const AROUND: Readonly<Record<string, readonly [open: string, close: string]>> = {
  Op: ['[', ']'],
  Dq: ['“', '”'],
  Sq: ['‘', '’'],
  Qq: ['"', '"'],
  Pq: ['(', ')'],
  Bq: ['[', ']'],
  Brq: ['{', '}'],
  Aq: ['<', '>'],
  Ql: ['', ''],
};
/** Macros that open or close such marks by themselves. */
const OPENERS: Readonly<Record<string, string>> = {
  Oo: '[',
  Do: '“',
  So: '‘',
  Qo: '"',
  Po: '(',
  Bo: '[',
  Ao: '<',
  Bro: '{',
  Xo: '',
  Eo: '',
  Fo: '',
};
const CLOSERS: Readonly<Record<string, string>> = {
  Oc: ']',
  Dc: '”',
  Sc: '’',
  Qc: '"',
  Pc: ')',
  Bc: ']',
  Ac: '>',
  Brc: '}',
  Xc: '',
  Ec: '',
  Fc: ')',
};
const WORDS: Readonly<Record<string, string>> = {
  Ux: 'UNIX',
  Bx: 'BSD',
  Fx: 'FreeBSD',
  Nx: 'NetBSD',
  Ox: 'OpenBSD',
  Dx: 'DragonFly',
  Bsx: 'BSD/OS',
  At: 'AT&T UNIX',
  Bt: 'is currently in beta test.',
  Ud: 'currently under development.',
};
/** Macros whose arguments are text. */
const PLAIN: ReadonlySet<string> = new Set(
  'Em Sy Li Pa Ev Ic Cm Va Vt Fn Fa Ft Ad Er Dv An Tn Lk Mt No Ms St Cd In Ss Sh Ex Rv Tg Bf Ef Nd Lb Fd Sx Ap Px Hf Db'.split(
    ' ',
  ),
);

/** Tells whether a macro may stand inside a line of running text. */
export function isMdocInline(name: string): boolean {
  return (
    name in AROUND ||
    name in OPENERS ||
    name in CLOSERS ||
    name in WORDS ||
    PLAIN.has(name) ||
    name === 'Fl' ||
    name === 'Ar' ||
    name === 'Nm' ||
    name === 'Xr' ||
    name === 'Ns' ||
    name === 'Pf' ||
    name === 'Ta' ||
    /^%[A-Z]$/.test(name)
  );
}

/** Returns the text of a macro and its arguments. `pageName`: what `Nm` alone stands for. */
export function mdocText(tokens: readonly string[], pageName: string): string {
  const line = new MdocLine(pageName);
  for (const token of tokens) line.add(token);
  return line.finish();
}

class MdocLine {
  private text = '';
  private joined = true;
  private macro = '';
  private fresh = false;
  private readonly closers: string[] = [];
  private readonly pageName: string;

  constructor(pageName: string) {
    this.pageName = pageName;
  }

  add(token: string): void {
    if (isMdocInline(token)) this.open(token);
    else if (/^[.,:;)\]?!]$/.test(token)) {
      this.endMacro();
      this.text += token;
      this.joined = false;
    } else if (/^[([]$/.test(token)) {
      this.put(token);
      this.joined = true;
    } else this.word(token);
  }

  private open(name: string): void {
    this.endMacro();
    if (name in AROUND) {
      const [open, close] = AROUND[name]!;
      this.put(open);
      this.joined = open !== '' || this.joined;
      this.closers.push(close);
    } else if (name in OPENERS) {
      this.put(OPENERS[name]!);
      this.joined = true;
    } else if (name in CLOSERS) {
      this.text += CLOSERS[name]!;
      this.joined = false;
    } else if (name === 'Ns' || name === 'Ap') {
      if (name === 'Ap') this.text += "'";
      this.joined = true;
    } else if (name === 'Ta') this.put('|');
    else if (name in WORDS) this.put(WORDS[name]!);
    else {
      this.macro = name;
      this.fresh = true;
    }
  }

  private word(token: string): void {
    if (this.macro === 'Fl') this.put(`-${token}`);
    else if (this.macro === 'Xr' && !this.fresh) {
      this.text += `(${token})`;
      this.macro = '';
    } else if (this.macro === 'Pf' && this.fresh) {
      this.put(token);
      this.joined = true;
    } else this.put(token);
    this.fresh = false;
  }

  /** Ends a macro, some of which stand for a text of their own without arguments. */
  private endMacro(): void {
    if (this.fresh) {
      if (this.macro === 'Fl') this.put('-');
      else if (this.macro === 'Ar') this.put('file ...');
      else if (this.macro === 'Nm') this.put(this.pageName);
      if (this.macro === 'Fl') this.joined = true;
    }
    this.macro = '';
    this.fresh = false;
  }

  private put(text: string): void {
    if (text === '') return;
    this.text += (this.joined || this.text === '' ? '' : ' ') + text;
    this.joined = false;
  }

  finish(): string {
    this.endMacro();
    const tail = /[.,:;]+$/.exec(this.text)?.[0] ?? '';
    const body =
      this.closers.length > 0 ? this.text.slice(0, this.text.length - tail.length) : this.text;
    return this.closers.length > 0 ? `${body}${this.closers.reverse().join('')}${tail}` : body;
  }
}
