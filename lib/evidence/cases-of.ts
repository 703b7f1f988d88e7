// The cases of a recorded run by their titles, and which requirements each judges or provides replies for.
import type { Suite } from '../case.ts';
import { select } from '../run/selection.ts';
import type { Header } from './format.ts';

export class CasesOf {
  private readonly served: ReadonlyMap<string, readonly string[]>;

  constructor(suites: readonly Suite[], { settings }: Header) {
    const { cases, titles } = select(suites, settings);
    this.served = new Map(cases.map((one) => [titles.get(one) ?? '', [...one.ids, ...(one.feeds ?? [])]]));
  }

  get titles(): string[] {
    return [...this.served.keys()];
  }

  /** The requirements that a case serves. */
  of(title: string): readonly string[] {
    return this.served.get(title) ?? [];
  }

  /** The cases that serve any of these requirements. */
  serving(requirements: readonly string[]): ReadonlySet<string> {
    return new Set(this.titles.filter((title) => this.of(title).some((id) => requirements.includes(id))));
  }
}
