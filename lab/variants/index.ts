// All variants, theme by theme.
import accounts from './accounts.ts';
import billing from './billing.ts';
import choices from './choices.ts';
import comingAndGoing from './coming-and-going.ts';
import editors from './editors.ts';
import envelope from './envelope.ts';
import errors from './errors.ts';
import inputs from './inputs.ts';
import keys from './keys.ts';
import limits from './limits.ts';
import lists from './lists.ts';
import network from './network.ts';
import nodes from './nodes.ts';
import openInputs from './open-inputs.ts';
import population from './population.ts';
import recordRules from './record-rules.ts';
import records from './records.ts';
import refusals from './refusals.ts';
import releases from './releases.ts';
import replicas from './replicas.ts';
import slugs from './slugs.ts';
import type { Variant } from './variant.ts';

export const variants: readonly Variant[] = [
  choices,
  envelope,
  errors,
  accounts,
  billing,
  records,
  inputs,
  keys,
  refusals,
  lists,
  replicas,
  releases,
  nodes,
  openInputs,
  limits,
  network,
  population,
  comingAndGoing,
  editors,
  recordRules,
  slugs,
].flat();
