/**
 * Writes the compact golden trace anew: `npm run -s node24 -- test/golden/write-trace.ts`. Only for
 * a change of traces that the change log tells of.
 */
import { writeFileSync } from 'node:fs';
import { GOLDEN_TRACE, goldenTrace } from './golden-run.ts';

writeFileSync(GOLDEN_TRACE, await goldenTrace(false));
