// Whether the container is well: `covenant serve` answers on its port; any other command is well while it runs.
import { readFileSync } from 'node:fs';

const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
if (words.includes('serve')) {
  const port = words[words.indexOf('--port') + 1] ?? '';
  const { status } = await fetch(`http://127.0.0.1:${words.includes('--port') ? port : '4010'}/api/external/v2/health`);
  process.exitCode = status === 200 ? 0 : 1;
}
