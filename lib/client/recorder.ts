// Every exchange of a run, in the order of the replies, and a callback for each.

import type { OperationId } from '../catalogue/operations.ts';
import { defined } from '../runtime/defined.ts';
import type { Credential } from './credential.ts';
import type { Reply, Sent } from './reply.ts';
import type { WireReply } from './transports/transport.ts';

interface Exchange {
  readonly sent: Sent;
  readonly operation: OperationId | undefined;
  readonly wire: WireReply;
  readonly credential: Credential;
  readonly owner: string;
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly after: number;
  readonly undocumented: true | undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export class Recorder {
  readonly replies: Reply[] = [];
  private readonly timesSent = new Map<string, number>();
  private readonly onReply: (reply: Reply) => void;

  constructor(onReply: (reply: Reply) => void = () => {}) {
    this.onReply = onReply;
  }

  /**
   * Before each attempt: a reply can repeat another only where its Idempotency-Key was sent before. Returns how many
   * replies there are by now.
   */
  sending({ headers }: Sent): number {
    const key = headers['idempotency-key'];
    if (key !== undefined) this.timesSent.set(key, (this.timesSent.get(key) ?? 0) + 1);
    return this.replies.length;
  }

  record({ sent, operation, wire, credential, owner, sentAt, receivedAt, after, undocumented }: Exchange): Reply {
    const mayReplay = (this.timesSent.get(sent.headers['idempotency-key'] ?? '') ?? 0) > 1 || undefined;
    const reply: Reply = {
      id: this.replies.length + 1,
      request: sent,
      credential: credential.name,
      owner,
      sentAt,
      receivedAt,
      after,
      status: wire.status,
      headers: wire.headers,
      text: wire.body,
      json: parse(wire.body),
      ...defined({ operation, undocumented, mayReplay }),
    };
    this.replies.push(reply);
    this.onReply(reply);
    return reply;
  }
}
