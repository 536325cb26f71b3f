// Explores the model of the engine: npm run model -- --lanes 0,0 --kind find
import { parseArgs } from 'node:util';
import { seededRandom } from '../chaos/random.ts';
import { explore } from './explore.ts';
import { usual } from './faults.ts';
import { breachNames, faultNames, type Options } from './state.ts';
import { walk } from './walk.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: String(usual.workers) },
    lanes: { type: 'string', default: usual.lanes.join() },
    kind: { type: 'string', default: usual.kind },
    equal: { type: 'boolean', default: false },
    retries: { type: 'string', default: String(usual.retries) },
    crashes: { type: 'string', default: String(usual.crashes) },
    suspensions: { type: 'string', default: String(usual.suspensions) },
    'user-retries': { type: 'string', default: String(usual.userRetries) },
    fault: { type: 'string' },
    breach: { type: 'string' },
    walks: { type: 'string' },
    steps: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    'max-states': { type: 'string', default: '100000000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Visits every state of the model of the publishing engine, and says what is wrong in the first that is.

  --workers      worker processes (2)         --lanes         the lane of each post, as in 0,0 or 0,1 (0,0)
  --kind         find, once, replay, tell, blind  --equal         the network cannot tell the posts apart
  --retries      of a failure that passes     --user-retries  of a post that failed
  --crashes      how many, anywhere           --suspensions   how many, anywhere
  --fault        plant one of: ${faultNames.join('; ')}
  --breach       take away one of: ${breachNames.join('; ')}
  --walks        random walks instead, with --steps each (2000) and --seed (1)
  --max-states   gives up when there are more (100000000)`);
  process.exit(0);
}
const oneOf = <T extends string>(names: readonly T[], value: string | undefined, option: string): T | undefined => {
  const found = names.find((name) => name === value);
  if (value !== undefined && !found) throw new Error(`--${option} is one of: ${names.join('; ')}`);
  return found;
};
const fault = oneOf(faultNames, values.fault, 'fault');
const breach = oneOf(breachNames, values.breach, 'breach');
const options: Options = {
  workers: Number(values.workers),
  lanes: values.lanes.split(',').map(Number),
  kind: oneOf(['find', 'once', 'replay', 'tell', 'blind'], values.kind, 'kind') ?? usual.kind,
  equal: values.equal,
  retries: Number(values.retries),
  crashes: Number(values.crashes),
  suspensions: Number(values.suspensions),
  userRetries: Number(values['user-retries']),
  ...(fault && { fault }),
  ...(breach && { breach }),
};
const started = performance.now();
const result =
  values.walks === undefined
    ? explore(options, {
        maxStates: Number(values['max-states']),
        onProgress: (seen, visited) => console.error(`${visited} of ${seen} states visited`),
      })
    : walk(options, Number(values.walks), Number(values.steps), seededRandom(Number(values.seed)));
const { violation, ...counts } = result;
const seconds = Math.round((performance.now() - started) / 100) / 10;
console.log(JSON.stringify({ ...counts, seconds }));
if (violation)
  console.log([violation.what, ...violation.trace.map((line, index) => `${index + 1}. ${line}`)].join('\n'));
else console.log('Nothing is wrong.');
process.exit(violation ? 1 : 0);
