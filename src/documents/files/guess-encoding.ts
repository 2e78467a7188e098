/**
 * Guesses the encoding of a text that is not UTF-8 and names none, by the package `jschardet`,
 * which goes by the frequencies of byte pairs of about 40 languages.
 */

/** Names of `jschardet` for what `TextDecoder` reads, and the labels of the Encoding Standard. */
const LABELS: Readonly<Record<string, string>> = {
  // The standard's fallbacks of browsers, by language.
  'windows-1252': 'windows-1252',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'windows-1257': 'windows-1257',
  'windows-1258': 'windows-1258',
  cp874: 'windows-874',
  'iso-8859-2': 'iso-8859-2',
  'iso-8859-7': 'iso-8859-7',
  gb18030: 'gb18030',
  big5hkscs: 'big5',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  // Those of Unix and of DOS for the same languages.
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  'iso-8859-5': 'iso-8859-5',
  cp866: 'ibm866',
  'euc-jis-2004': 'euc-jp',
};
/** Other names of the same encodings in the answers of `jschardet`. */
const ANSWERED: Readonly<Record<string, string>> = {
  cp1258: 'windows-1258',
  'euc-kr': 'euc-kr',
  'euc-jp': 'euc-jp',
  shift_jis: 'shift_jis',
  big5: 'big5',
  ibm866: 'ibm866',
};

/** The encoding that the Encoding Standard falls back on for all languages without their own. */
const FALLBACK = 'windows-1252';
/**
 * Bytes that count for the fallback before any is seen, the half of Krichevsky and Trofimov: few
 * bytes say little of a language, and most files of few such bytes are of the west of Europe.
 */
const SEEN_BEFORE = 0.5;
/** Bytes of the beginning, and as many of the middle. */
const SAMPLE = 1 << 16;

/** Returns the label of the likeliest encoding; undefined if the bytes are no text. */
export async function guessEncoding(bytes: Uint8Array): Promise<string | undefined> {
  const sample = sampleOf(bytes);
  const label = await likeliest(sample);
  return label !== undefined && isMacintosh(sample, label) ? MACINTOSH : label;
}

const MACINTOSH = 'macintosh';

/**
 * Tells whether a text is of an old Macintosh, which `jschardet` does not know: most of its letters
 * are ASCII, in the encoding of one byte that is found signs and capitals stand inside words, and
 * in that of the Macintosh none do, but small letters.
 */
function isMacintosh(sample: Uint8Array, label: string): boolean {
  if (OF_SEVERAL_BYTES.has(label) || oddIn(decoded(sample, label)) === 0) return false;
  const text = decoded(sample, MACINTOSH);
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const foreign = text.match(/(?!\p{ASCII})\p{L}/gu)?.length ?? 0;
  return oddIn(text) === 0 && INSIDE.test(text) && 2 * foreign < letters;
}

const OF_SEVERAL_BYTES: ReadonlySet<string> = new Set([
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
  'euc-jp',
]);

/** Matches a small letter beyond ASCII beside a small one of ASCII. */
const INSIDE = /[a-z](?!\p{ASCII})\p{Ll}|(?!\p{ASCII})\p{Ll}[a-z]/u;

/** Matches signs and capitals beyond ASCII that stand after a small letter of the same word. */
const ODD = /(?<=\p{Ll})(?!\p{ASCII})(?:\p{Lu}|[^\p{L}\p{M}\s‘’‐-―·](?=\p{Ll}))/gu;
const oddIn = (text: string): number => text.match(ODD)?.length ?? 0;

async function likeliest(sample: Uint8Array): Promise<string | undefined> {
  const { detectAll } = await import('jschardet');
  const japanese = ['shift_jis', 'euc-jp'].find(label => isKana(sample, label));
  if (japanese !== undefined) return japanese;
  const found = detectAll(sample, { detectEncodings: Object.keys(LABELS), minimumThreshold: 0 });
  const labels = found.flatMap(({ encoding, confidence }) => {
    const name = encoding?.toLowerCase() ?? '';
    const label = LABELS[name] ?? ANSWERED[name];
    return label === undefined ? [] : [{ label, confidence, text: decoded(sample, label) }];
  });
  const best = labels.find(({ text }) => !mixesScripts(text)) ?? labels[0];
  const fallback = labels.find(({ label }) => label === FALLBACK);
  if (!fallback || !best) return best?.label;
  const high = sample.reduce((count, byte) => count + (byte >> 7), 0);
  const isClose = best.confidence < fallback.confidence * (1 + SEEN_BEFORE / high);
  return isClose || best.text === fallback.text ? FALLBACK : best.label;
}

/** Returns the text from the first byte beyond ASCII on, with whole lines from the middle. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex(byte => byte >= 0x80);
  const from = bytes.subarray(bytes.lastIndexOf(0x0a, first) + 1);
  const middle = from.indexOf(0x0a, Math.max(SAMPLE, from.length >> 1));
  if (middle < 0) return from.subarray(0, 2 * SAMPLE);
  return Buffer.concat([from.subarray(0, SAMPLE), from.subarray(middle, middle + SAMPLE)]);
}

const decoded = (bytes: Uint8Array, label: string): string => new TextDecoder(label).decode(bytes);

/**
 * Tells whether bytes are Japanese of few signs, for which frequencies say little: without an
 * error, and half of all beyond ASCII is kana.
 */
function isKana(bytes: Uint8Array, label: string): boolean {
  const text = decoded(bytes, label);
  const others = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const kana = text.match(/[\u3041-\u30fe]/g)?.length ?? 0;
  return !text.includes('\ufffd') && kana > 1 && 2 * kana >= others;
}

/**
 * Tells whether half of the words beyond ASCII are none of their language: they mix the Latin
 * alphabet with another, or are single letters of another among Latin words.
 */
function mixesScripts(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  const foreign = words.filter(word => OTHER_ALPHABET.test(word));
  const isStray = 2 * foreign.length <= words.length;
  const odd = foreign.filter(
    word => (isStray && word.length === 1) || /\p{Script=Latin}/u.test(word),
  );
  const beyond = words.filter(word => /\P{ASCII}/u.test(word));
  return odd.length > 0 && 2 * odd.length >= beyond.length;
}

const OTHER_ALPHABET =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/u;
