// Starts the laboratory in this process.
import { processConsole } from '../lib/cli/console.ts';
import { lab } from './cli.ts';

process.exitCode = await lab(process.argv.slice(2), processConsole());
