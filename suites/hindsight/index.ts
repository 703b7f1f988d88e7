// What a whole run shows: the world that each reply describes is the one that the run has written.
import type { Hindsight } from '../../lib/index.ts';
import { breakable } from './members.ts';
import { Records } from './records.ts';

export const hindsight: Hindsight = { over: breakable, judge: (story) => new Records(story).wrong() };
