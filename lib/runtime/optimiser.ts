// When V8 optimises: what runs for seconds calls most functions too rarely for that to pay.
import { setFlagsFromString } from 'node:v8';

/** Three times what Node 20 waits. */
const interruptBudget = 400_000;

/** Makes Node 20 optimise functions later; newer versions, which compile in more steps, do not need it. `nodeVersion` as in `v20.19.0`. */
export function optimiseLater(nodeVersion: string): void {
  if (nodeVersion.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
}
