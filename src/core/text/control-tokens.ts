/**
 * Breaks control tokens of language models in text that a prompt quotes. Servers read the text of
 * `<|im_end|>` in a message as the token, which ends the message: a document could write turns of
 * its own. A blank after the first character keeps the words and makes no token.
 */

/** Parts of names of tokens that have underscores: `start_of_turn`, `repo_name`, `extra_id_0`. */
const PARTS =
  'start|end|begin|im|fim|extra|reserved|tokens?|special|unused|tools?|function|repo|file|gh|issue|jupyter|commit|output|image|audio|video|vision|media|header|turn|think|user|assistant|system|pad|bos|eos|mask';

/**
 * Names between angle brackets that are tokens of known tokenizers (Llama, Mistral, Gemma, Qwen,
 * GLM, T5, BERT, StarCoder, InternLM, Seed, models of images and sound), of their templates, or of
 * the prompts here (`doc`, `question`, `answer`).
 */
const ANGLED = [
  's|bos|eos|unk|pad|sep|cls|mask|sop|eop|eod|eot|eom|eoa|eoh|sys|inst',
  'think|thinking|thought|tools?|function|observation|user|assistant|system|human|bot',
  'doc|question|answer|image|video|audio|img|ref|box|quad|filename|reponame',
  '(?:start|end)of[a-z]{1,20}|unused\\d{1,6}|seed:[a-z_:]{1,40}|fim-[a-z]{1,20}|0x[\\da-f]{2}',
  `(?:[a-z\\d]{0,20}_){1,4}(?:${PARTS})(?:_[a-z\\d]{0,20}){0,4}`,
  `(?:${PARTS})(?:_[a-z\\d]{0,20}){1,4}`,
].join('|');

/** Names between square brackets, as Mistral, GLM, BERT and Kimi write tokens. */
const SQUARED =
  'INST|SYS|IMG|THINK|ARGS|AUDIO|PREFIX|MIDDLE|SUFFIX|BOS|EOS|EOT|CLS|SEP|PAD|UNK|MASK|[gs]MASK|unused\\d{1,6}|(?:SYSTEM|AVAILABLE|TOOL|MODEL|IMG|CALL|BEGIN|END|STREAMING|REFERENCE|AUDIO)_[A-Z_\\d]{1,40}|(?:control|extra_id|unused|special|reserved)_\\d{1,6}';

/** Bars as ASCII and DeepSeek write them, and what looks like one. */
const BAR = '[|｜¦│]';

/** Matches `<` before a token or a second `<`. */
const OPENS = new RegExp(`[<＜﹤](?=[<＜﹤]|[/!]?${BAR}\\S)|<(?=/?(?:${ANGLED})/?>)`, 'gi');

/** Matches a bracket before a token; Exaone writes `[|user|]`, MiniMax `]~b]` and `[e~[`. */
const BRACKETS = new RegExp(
  `\\[(?=/?(?:${SQUARED}|${BAR}\\w{1,40}${BAR})\\]|e~\\[)|\\](?=~!?[a-z]{1,20}[\\[\\]])`,
  'g',
);

/** Returns the text with a blank inside of what a model may read as a control token or `<<`. */
export const withBrokenTokens = (text: string): string =>
  text.replace(OPENS, '$& ').replace(BRACKETS, '$& ');
