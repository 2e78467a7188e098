/** Opens an engine for its laws: created anew over given documents, with its capabilities. */
import type { Document } from '../core/corpus/document.ts';
import type { Capabilities } from '../search/capabilities.ts';
import type { Engine, EngineSnapshot, SearchEngine } from '../search/engine.ts';
import type { Port } from '../search/ports.ts';
import { FIXTURE_DOCUMENTS } from './fixture-corpus.ts';

/** Returns a fresh engine that holds exactly these documents. */
export type MakeEngine = (documents: readonly Document[]) => Promise<Engine>;

export interface EngineUnderTest {
  readonly make: MakeEngine;
  readonly capabilities: Capabilities;
  serves(port: Port<never> | Port<object>): boolean;
  /** Opens a snapshot of an engine that holds these documents. */
  holding(documents: readonly Document[]): Promise<EngineSnapshot>;
  /** Checks a snapshot over the fixture corpus and disposes of it. */
  over(check: (engine: SearchEngine) => Promise<void>): () => Promise<void>;
}

/** Reads the capabilities of an empty engine. */
export async function underTest(make: MakeEngine): Promise<EngineUnderTest> {
  const holding = async (documents: readonly Document[]): Promise<EngineSnapshot> =>
    (await make(documents)).snapshot();
  await using empty = await holding([]);
  const { capabilities, port: find } = empty;
  return {
    make,
    capabilities,
    holding,
    serves: port => find(port as Port<object>) !== undefined,
    over: check => async () => {
      await using engine = await holding(FIXTURE_DOCUMENTS);
      await check(engine);
    },
  };
}
