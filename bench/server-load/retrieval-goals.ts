/** L1 and L2: searches by many clients at once, and whether the server still says that it lives. */
import { checkStruck, type Goal, good, noteOf, phase, searchShot, warmServer } from './bed.ts';
import { percentile, strike } from './cannon.ts';
import { atLeast, atMost } from './goals.ts';

/** Requests of `/health` a second. */
const HEALTH_RATE = 50;

export const retrievalGoals: Goal = async bed => {
  const { sizes, say } = bed;
  await using serving = await warmServer(bed);
  const { url } = serving;
  const search = (): ReturnType<typeof strike> => {
    const { clients: connections, seconds } = sizes;
    return strike({ url, connections, seconds, shots: [searchShot(bed)] });
  };
  say(`L2: searches of ${sizes.clients} clients`);
  const alone = await phase(serving, search);
  checkStruck('L2', alone.done);
  say('L1: /health beside them');
  const both = await phase(serving, async () => {
    const shots = [{ path: '/health' }];
    const health = strike({
      url,
      connections: 2,
      seconds: sizes.seconds,
      rate: HEALTH_RATE,
      shots,
    });
    return { searched: await search(), health: await health };
  });
  const { searched, health } = both.done;
  checkStruck('L1', health);
  const [times, lives] = [good(alone.done), good(health)];
  const searches = { n: times.length, note: noteOf(alone.done) };
  return {
    results: [
      atMost({
        what: 'L1: /health while searches take all there is, p99',
        n: lives.length,
        unit: 'ms',
        value: percentile(lives, 0.99),
        floor: 100,
        aim: 20,
        note: `p50 ${percentile(lives, 0.5).toFixed(1)} ms; beside ${searched.perSecond.toFixed(1)} searches a second`,
      }),
      atLeast({
        what: 'L2: hybrid searches',
        ...searches,
        unit: 'a second',
        value: alone.done.perSecond,
        floor: 20,
        aim: 100,
      }),
      atMost({
        what: 'L2: hybrid searches, p99',
        ...searches,
        unit: 'ms',
        value: percentile(times, 0.99),
        floor: 1_000,
        aim: 250,
      }),
    ],
    delays: { L1: both.sample.delayP99, L2: alone.sample.delayP99 },
  };
};
