// The area authentication of the configured target, one test a requirement.
import { examineArea } from './target.test-data.ts';

await examineArea('authentication');
