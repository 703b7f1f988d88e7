// Writes lib/run/costs.ts: `npm run costs`, after the cases have changed.
import { writeFileSync } from 'node:fs';
import { costsText } from './cost-table.ts';

writeFileSync('lib/run/costs.ts', await costsText());
