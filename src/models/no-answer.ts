/**
 * Recognises that a text states that there is no answer, in the words of models and in several
 * languages. The tables list what a statement says of the evidence (it does not mention it, it is
 * not known, I cannot tell), never what an answer may say of the world.
 */

/** Names of what was shown; an article or a source only as one that was provided. */
const EVIDENCE =
  '(?:passages?|excerpts?|snippets?|context|text|(?:(?:provided|given|available|above|shown|quoted|retrieved|supplied) )+(?:passages?|texts?|context|excerpts?|sources?|evidence|snippets?|information|material|documents?|articles?))';
const LACKS =
  '(?:do|does|did|is|are|was|were|has|have|can|could) ?(?:not|nt|n t)(?: (?:explicitly|directly|specifically|clearly|actually|seem to|appear to|even|really))*(?: be)?';
/** Forms without apostrophes, as `normHotpot` leaves them. */
const NOT =
  '(?:can ?not|could ?not|cant|couldnt|am not able to|was not able to|am unable to|was unable to|were unable to|do not|did not|dont|didnt|unable to|have not|havent|failed to)';

/** Match the normal form of a sentence in English, from its beginning. */
const ENGLISH = [
  '(?:insufficient|unknown|unclear|unanswerable|undetermined|null|na|idk|no idea|not sure)(?: (?:from|based on|in|given) .*)?',
  'insufficient (?:information|evidence|data|context)\\b.*',
  '(?:there is |there are |there was |i have |we have )?(?:not enough|insufficient|no(?: (?:relevant|specific|explicit|direct|such|clear|further|sufficient))*|lacking|not any) (?:information|evidence|data|context|mention|indication|details?|answer|statement)\\b.*',
  'information (?:is )?(?:insufficient|not (?:available|provided|given|sufficient|found))\\b.*',
  'no ?answer\\b.*',
  '(?:not|never) (?:enough|stated|specified|mentioned|provided|given|available|known|found|determinable|answerable|clear|possible to (?:tell|say|determine|answer|know|find))(?: (?:in|from|by|here|based|with)\\b.*)?',
  `(?:i|we)(?: (?:simply|really|honestly))? ${NOT}(?: (?:know|tell|say|determine|answer|find|locate|see|identify|provide|give|confirm|establish|infer|conclude|have enough)\\b.*)`,
  `${NOT} (?:know|tell|say|determine|answer|find|locate|identify|confirm|establish)\\b.*`,
  '(?:it |this |that |answer |question |information )*(?:can ?not|cant|could ?not|couldnt) be (?:determined|answered|established|known|found|inferred|identified|verified|given|located)\\b.*',
  '(?:it|this|that|answer|information|which|(?:answer|information) to (?:this|question|your question)) (?:is|was) (?:(?:not|nt|never)(?: (?:explicitly|directly|specifically|clearly))* (?:stated|specified|mentioned|provided|given|known|clear|found|available|contained|in|possible to (?:tell|say|determine|answer|know))|unknown|unclear|missing|isnt)\\b.*',
  `(?:none|neither|nothing|no part)(?: of| in)?(?: any of)?(?: these)? ${EVIDENCE}(?: (?:${LACKS} )?(?:mentions?|contains?|says?|states?|provides?|gives?|answers?|specif(?:y|ies)|indicates?|tells?|includes?|names?|discuss(?:es)?|address(?:es)?|identif(?:y|ies)|supports?)\\b.*)`,
  `no (?:passages?|excerpts?|sources?|documents?|texts?) (?:mentions?|contains?|says?|states?|provides?|gives?|answers?|tells?|specif(?:y|ies)|names?)\\b.*`,
  `(?:these |this )?${EVIDENCE} ${LACKS} (?:mention|contain|say|state|provide|specify|include|give|answer|tell|indicate|name|address|reveal|hold|discuss|identify|disclose|support|determine|have|offer|clarify|describe|cover|enough|sufficient)\\w*\\b.*`,
  `(?:these |this )?${EVIDENCE} (?:only )?(?:mentions?|names?|says?|states?|tells?|discuss(?:es)?|describes?)\\b.{1,200} but (?:they |it )?${LACKS} (?:mention|say|state|specify|name|tell|give|provide|indicate)\\b.*`,
  `(?:these |this )?${EVIDENCE} (?:lacks?|fails? to|offers? no|contains? no|gives? no|provides? no|holds? no|makes? no mention|says? nothing|is silent|are silent)\\b.*`,
  '(?:i |we )?(?:would )?need (?:more|further|additional) (?:information|context|details)\\b.*',
].join('|');

/** May stand before a statement. */
const LEAD_IN =
  /^(?:(?:so|thus|therefore|unfortunately|sorry|i am sorry|im sorry|i apologize|my apologies|apologies|however|but|well|hmm|based on|according to|from|in|given|looking at|after reading|having read|as|final answer is|answer is|answer to question is|it is|answer)(?: (?:these |this )?(?:provided |given |available |above |shown )*(?:passages?|texts?|context|excerpts?|sources?|evidence|information|documents?|articles?)(?: (?:provided|given|above|alone))?)?(?: (?:but|that))? )+/;

const STATED = new RegExp(`^(?:${ENGLISH})$`);

/** Match a sentence of another language, in lower case. */
const OTHERS: readonly RegExp[] = [
  // German
  /^(?:(?:es gibt |dazu gibt es )?(?:nicht genug|nicht genügend|unzureichende|keine(?: ausreichenden| weiteren| genauen)?) (?:informationen?|angaben?|daten|hinweise?|antwort)\b|unbekannt\W*$|keine angabe|ich weiß (?:es )?(?:nicht|leider nicht)|(?:ich|wir) (?:kann|konnte|können|konnten)\b.*\b(?:nicht|keine)\b|(?:das|dies|die antwort|es)\b.*\bnicht (?:hervor|erwähnt|genannt|angegeben|bekannt|ersichtlich|enthalten|beantworten|bestimm)|(?:aus |in )?(?:diesen |diesem |den |dem |die |der |das )?(?:passagen?|texte?n?|abschnitten?|kontext|quellen|informationen|dokumente?n?)\b.*\b(?:nicht|nichts|keine?n?)\b)/u,
  // French
  /^(?:informations? insuffisantes?|inconnue?\W*$|(?:il n['’]y a )?(?:pas assez|aucune|pas) d?['’ ]?(?:informations?|mention|indication|réponse)|je (?:ne|n['’]ai|n['’])\b.*\bpas\b|impossible (?:de|à) (?:répondre|déterminer|dire)|(?:ce|cela|la réponse|l['’]information|il) n['’]est pas (?:mentionn|indiqu|précis|connu|donn|spécifi)|(?:d['’]après |dans )?(?:les|ces|le|ce) (?:passages?|textes?|extraits?|documents?|contexte|sources?)\b.*\b(?:ne|n['’])\s?\p{L}+ (?:pas|aucune?|rien))/u,
  // Spanish and Portuguese
  /^(?:informaci[oó]n insuficiente|informações insuficientes|informação insuficiente|desconocid[oa]\W*$|desconhecid[oa]\W*$|no (?:lo )?sé|não sei|(?:no|não) (?:hay|há|existe[mn]?|tengo|tenho) (?:suficientes? |suficiente |informações? |información|dados|datos|ninguna)|(?:no|não) (?:se |é )?(?:menciona|mencionado|indica|especifica|especificado|puede determinar|sabe|possível)|(?:no|não) (?:he |pude |pudo |puedo |consegui |posso |encontr)|(?:en |em |n)?(?:los|el|os|o|as|estos|estes) (?:pasajes?|textos?|fragmentos?|documentos?|contexto|fuentes?|passagens?|trechos?)\b.*\b(?:no|não)\b)/u,
  // Italian and Dutch
  /^(?:informazioni insufficienti|non (?:lo )?so|sconosciut[oa]\W*$|non (?:ci sono|è|ho|posso|sono|viene|si può)\b.*(?:informazioni|menzionat|specificat|indicat|noto|trovat|rispondere|determinare|possibile)|(?:i|il|questi|nei) (?:passaggi|passaggio|brani|testi|testo|documenti|contesto)\b.*\bnon\b|onvoldoende informatie|onbekend\W*$|ik weet het niet|niet genoeg informatie|(?:de|het|dit)\b.*\bniet (?:vermeld|genoemd|bekend|gevonden|vermelden|noemen)|(?:de|deze) (?:passages|teksten|tekst)\b.*\bniet\b)/u,
  // Russian, Ukrainian
  /^(?:(?:в |из )?\S{0,14}\s?\S{0,14}\s?(?:недостаточно (?:информации|данных|сведений)|нет (?:информации|данных|ответа|сведений|упоминани)|не (?:указан|упоминает|упомина|сказано|говорится|найден|содерж|сообща|привед))|недостаточно|не знаю|неизвестно\W*$|я не (?:знаю|могу|наш)|не могу (?:найти|ответить|определить)|не удалось (?:найти|определить)|невозможно (?:определить|ответить|установить)|недостатньо інформації|невідомо)/u,
  // Polish and Turkish
  /^(?:brak (?:wystarczających )?(?:informacji|danych)|niewystarczające informacje|nie wiem|nie (?:podano|wiadomo|można)|yetersiz bilgi|bilmiyorum|yeterli bilgi yok|bilinmiyor)/u,
  // Chinese, simplified and traditional
  /(?:信息|资料|资讯|資訊|資料|證據|证据|数据)(?:不足|不够|不夠|不充分)|(?:无法|無法|不能)(?:确定|確定|回答|得知|判断|判斷|找到|得出|知道)|^(?:我)?不(?:知道|清楚|确定|確定)|(?:段落|文中|文章|文本|材料|资料|資料|上下文|原文|文段|内容|內容).{0,12}(?:没有|沒有|未|并未|並未|沒|没)(?:提及|提到|提供|说明|說明|给出|給出|包含|足够|足夠|相关|相關|明确|明確)|^(?:没有|沒有|未)(?:提及|提到|找到|足够|足夠|相关|相關|说明|說明)|^未知/u,
  // Japanese
  /情報(?:が|は)?(?:不足|不十分|足りま|ありま|ない)|(?:わかり|分かり|答えられ|見つかり|特定でき|判断でき)ません|^不明|(?:記載|言及|記述|明記|説明)(?:され|は|が)?.{0,4}(?:ていません|ていない|ありません|ない)/u,
  // Korean
  /정보(?:가|는)?\s?(?:부족|없|충분하지|불충분)|알\s?수\s?없|모르겠|찾을\s?수\s?없|(?:언급|명시|기재|제공)(?:되지|되어 있지|이 없|하지|하고 있지)|확인할\s?수\s?없|^불충분/u,
  // Arabic and Persian
  /^(?:معلومات غير كافية|المعلومات غير كافية|غير (?:معروف|مذكور|كاف)|لا (?:أعرف|أعلم|توجد (?:معلومات|إجابة)|يمكن (?:تحديد|الإجابة|معرفة)|يوجد|تذكر|تحتوي)|لم (?:يذكر|يُذكر|أجد|يتم ذكر|تذكر)|اطلاعات (?:کافی|ناکافی)|نمی‌?دانم)/u,
];

/**
 * Longest statement in another language than English, in UTF-16 units: their tables match the
 * beginning alone, and a long text says more.
 */
const LONGEST_OTHER = 240;

/** Begins a clause that may answer after all: "No price is named, but the buyer is Ada". */
const CONTRAST =
  /(?<=\S)[.;,!?:]\s{1,4}(?:but|however|nevertheless|that said|aber|jedoch|allerdings|mais|cependant|pero|sin embargo|mas|porém|ma|maar|но|однако)[ ,]\s?|(?<=\S)[。，、；,]\s{0,4}(?:但是?|不过|然而|しかし|ただし|그러나|하지만)/giu;

/**
 * Returns true if a text begins by stating that there is no answer, and no later clause contrasts
 * with it by giving one. `normal` returns the form that the tables of English match.
 */
export function statesNoAnswer(text: string, normal: (text: string) => string): boolean {
  const [first = '', ...more] = withoutApology(text).replace(VERDICT, '').split(CONTRAST);
  return states(first, normal) && more.every(clause => states(clause, normal));
}

/** Matches a yes or no before what explains it: "No, the data stays here" states something. */
const VERDICT = /^\s*(?:yes|no|ja|nein|oui|non|sí|não|sim|nee|да|нет)\s?[,;:–—]\s{0,3}(?=\S)/iu;

const withoutApology = (text: string): string =>
  text.replace(
    /^\s*(?:i['’]?m sorry|i am sorry|sorry|i apologi[sz]e|my apologies|unfortunately)[\s,.:;-]{1,4}(?:but\s)?/i,
    '',
  );

function states(clause: string, normal: (text: string) => string): boolean {
  const norm = normal(clause);
  const bare = norm.replace(LEAD_IN, '');
  if (STATED.test(bare) || STATED.test(norm)) return true;
  const written = clause.trim().toLowerCase();
  return written.length <= LONGEST_OTHER && OTHERS.some(stated => stated.test(written));
}
