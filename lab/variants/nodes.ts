// Servers of two nodes, one of which answers at random, that name the members of billing or write its values in two
// ways.
import type { Wrap } from '../mutants/mutant.ts';
import { isObject, type Json } from '../mutants/wrappers/mutator.ts';
import { byChance } from '../mutants/wrappers/nodes.ts';
import { onRecords } from '../mutants/wrappers/records.ts';
import { billing } from './billing.ts';
import { variants } from './variant.ts';

/** Billing as both operations may show it. */
interface Bill {
  readonly balance: number;
  /** Undefined in the record of the credits. */
  readonly subscription: Json | undefined;
}

/** Reads what the honest server shows, and shows it as one release does. */
const shownAs = (show: (bill: Bill) => Json): Wrap =>
  onRecords(billing, (record) => {
    const { subscription, credits } = record;
    const { balance } = isObject(credits) ? credits : record;
    return show({ balance: Number(balance), subscription: isObject(subscription) ? subscription : undefined });
  });

/** One level, and names that stand for themselves. */
const flat = shownAs(({ balance, subscription }) => ({
  credit_balance: balance,
  ...(subscription && {
    plan_name: subscription.plan,
    plan_status: subscription.status,
    seat_count: subscription.seats,
    renewal_date: subscription.renews_at,
  }),
}));

/** Objects in objects; no member is named as in the other release. */
const nested = shownAs(({ balance, subscription }) => ({
  credits: { balance: { amount: balance } },
  ...(subscription && {
    contract: {
      tier: { key: subscription.plan, state: subscription.status },
      users: { licensed: subscription.seats },
      period: { ends: subscription.renews_at },
    },
  }),
}));

type Spelling = (text: string) => string;

/** Both nodes name the members alike; `amount` and `word` are how one of them spells values. */
const spelling = (amount: (balance: number) => unknown, word: Spelling): Wrap =>
  shownAs(({ balance, subscription }) => ({
    balance: amount(balance),
    currency: word('usd'),
    ...(subscription && { plan: word(String(subscription.plan)), status: word(String(subscription.status)) }),
  }));

const plainly = spelling(
  (balance) => balance,
  (text) => text.toLowerCase(),
);
const formally = spelling(
  (balance) => balance.toFixed(2),
  (text) => text.toUpperCase(),
);

const named =
  'The fields of the billing records are not shown: nothing says that every reply names them alike, or that all nodes are of one release.';
const spelled =
  'How the values of billing are written is not shown: one amount may be a number or a text, and a code in either case.';

const tooSeldom = 'what names the account came too seldom to be known by then';
const unsteady = {
  'account-active-refused-effect': tooSeldom,
  'account-header-wins': tooSeldom,
  'account-header-selects': tooSeldom,
  'account-header-temporary': tooSeldom,
};

export default variants({
  'nodes-name-billing-in-two-ways': { why: named, wrap: byChance(flat, nested, 2), unsteady },
  'nodes-name-billing-by-another-chance': { why: named, wrap: byChance(flat, nested, 2, 17), unsteady },
  'nodes-of-a-canary-name-billing-otherwise': { why: named, wrap: byChance(flat, nested, 10) },
  'nodes-spell-billing-in-two-ways': { why: spelled, wrap: byChance(plainly, formally, 2) },
  'nodes-of-a-canary-spell-billing-otherwise': { why: spelled, wrap: byChance(plainly, formally, 10) },
});
