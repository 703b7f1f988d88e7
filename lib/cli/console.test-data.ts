// A console that keeps what is written and lets a test press Ctrl-C.
import { type Console, guarded } from './console.ts';

type Setting = Partial<
  Pick<Console, 'environment' | 'folder' | 'columns' | 'stdoutIsTerminal' | 'stderrIsTerminal' | 'ask' | 'open'>
>;

/** `text` is stdout and stderr together, as a person sees them; `left` the exit codes that were asked for; `stop` is Ctrl-C. */
export function keptConsole(setting: Setting) {
  const written = { text: '', out: '', stderr: '' };
  const left: number[] = [];
  const stops = new Set<() => void>();
  const writer = (stream: 'out' | 'stderr') => (more: string) => {
    written[stream] += more;
    written.text += more;
  };
  const console = guarded({
    stdout: writer('out'),
    stderr: writer('stderr'),
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
    environment: {},
    folder: '/nonexistent',
    ...setting,
    onStop: (stop) => {
      stops.add(stop);
      return () => stops.delete(stop);
    },
    leave: (code) => left.push(code),
  });
  const stop = (): void => {
    for (const each of stops) each();
  };
  return { console, written, left, stop };
}
