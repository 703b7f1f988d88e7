// The order in which a request is examined before it acts.
import { checkMedia } from './bodies.ts';
import { chargeAccount } from './charge.ts';
import type { Choices } from './choices.ts';
import { refuse } from './refusal.ts';
import { accountOf, type Stages, scopesOf, type Visit } from './visit.ts';

export type Step = (visit: Visit, stages: Stages) => void;

export function stepsOf(choices: Choices): readonly Step[] {
  const locate: Step = (_visit, stages) => stages.locate?.();
  const found = choices.checkBody === 'existence-first' ? [locate, readStep(choices)] : [readStep(choices), locate];
  const permit = choices.ratePosition === 'after-permission' ? [permitStep, chargeStep] : [permitStep];
  const checked = choices.checkPermission === 'first' ? [...permit, ...found] : [...found, ...permit];
  const entry: Step[] = choices.noAccountOrder === 'scope-first' ? [scopeStep, accountStep] : [accountStep, scopeStep];
  const media: Step[] = choices.mediaPosition === 'early' ? [mediaStep] : [];
  const last: Step[] = choices.ratePosition === 'before-action' ? [chargeStep] : [];
  return [...entry, ...media, ...checked, ...last];
}

export function takeSteps(steps: readonly Step[], visit: Visit, stages: Stages): void {
  for (const step of steps) step(visit, stages);
}

const permitStep: Step = (_visit, stages) => stages.permit?.();

const chargeStep: Step = (visit) => chargeAccount(visit);

const accountStep: Step = (visit) => {
  if (visit.operation.needsAccount === true) accountOf(visit);
};

const scopeStep: Step = (visit) => {
  const scope = visit.operation.scope?.(visit.choices) ?? null;
  if (scope === null || scopesOf(visit).includes(scope)) return;
  refuse(403, 'missing_scope', `The token lacks the scope ${scope}.`);
};

const mediaStep: Step = (visit) => {
  if (visit.operation.method === 'POST' || visit.operation.method === 'PATCH') checkMedia(visit);
};

function readStep(choices: Choices): Step {
  return (visit, stages) => {
    if (stages.read === undefined) return;
    if (choices.mediaPosition === 'with-body') mediaStep(visit, stages);
    stages.read();
  };
}
