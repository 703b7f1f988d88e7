// What is folded: the page holds its summary, and what is inside as text, which becomes elements when it is opened.
import type { RequirementResult } from '../../result.ts';
import { html, type Markup } from './markup.ts';

/** The insides of folds by their names: finished text, or the requirements that are listed there. */
export type Bodies = Map<string, Markup | readonly string[]>;

interface Fold {
  /** The anchor, and the name of what is inside. */
  readonly id: string;
  readonly kind?: string;
  readonly summary: Markup;
  readonly body: Markup | readonly RequirementResult[];
}

const isList = (body: Fold['body']): body is readonly RequirementResult[] => Array.isArray(body);

export function fold({ id, kind = 'index', summary, body }: Fold, bodies: Bodies): Markup {
  bodies.set(id, isList(body) ? body.map((row) => row.id) : body);
  return html`<details class="${kind}" id="${id}"><summary>${summary}</summary></details>`;
}
