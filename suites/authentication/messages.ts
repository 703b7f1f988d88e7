// A few of the messages with which a target refuses tokens, for an observation.

/** A target with more messages repeats what it was sent; a few of them, as they came, say so. */
const messagesMax = 5;

/** However a token is written into a message, it is a long word there, which differs from the one that stands for it in evidence. */
const withoutTokens = (message: string): string => message.replace(/\S{16,}/g, '');

/** In an order in which no token has a part. */
export function fewOf(messages: readonly string[]): string[] {
  if (messages.length > messagesMax)
    return [...messages.slice(0, messagesMax), `and ${messages.length - messagesMax} more`];
  const keyed = messages.map((message) => ({ message, key: withoutTokens(message) }));
  return keyed
    .sort((one, other) => Number(one.key > other.key) - Number(one.key < other.key))
    .map(({ message }) => message);
}
