/** An agent without a model: asks a tool the question, reads its hits, and asks what is missing. */
import { contentWords, resultOf, type ToolInput, type ToolSet } from './tool-set.ts';

/**
 * Returns the results in order, until they have `characters`. After the search come the best hit,
 * a search for words of the question that no result has yet, the best hit of that, and then the
 * other hits of all searches, each read once.
 */
export async function scripted(
  tools: ToolSet,
  question: string,
  characters: number,
): Promise<string[]> {
  const texts: string[] = [];
  const seen = new Set<string>();
  const waiting: ToolInput[] = [];
  const isFull = (): boolean => texts.join('').length >= characters;
  const search = async (words: string): Promise<void> => {
    for (const input of await tools.inputsOf(words)) {
      const { text, hits } = await resultOf(tools.search, input);
      if (hits.length === 0) continue;
      texts.push(text);
      waiting.unshift(...hits);
      break;
    }
  };
  const readBest = async (): Promise<boolean> => {
    for (let hit = waiting.shift(); hit; hit = waiting.shift()) {
      if (seen.has(JSON.stringify(hit))) continue;
      seen.add(JSON.stringify(hit));
      texts.push((await resultOf(tools.read, hit)).text);
      return true;
    }
    return false;
  };
  await search(question);
  await readBest();
  const shown = texts.join('\n').toLowerCase();
  const unseen = contentWords(question).filter(word => !shown.includes(word));
  if (unseen.length > 0 && !isFull()) await search(unseen.join(' '));
  while (!isFull() && (await readBest()));
  return texts;
}
