// A request that never gets an answer, although its valid control does, counts against the target and not against the network.
import { expectThat, type Reply, Unanswered } from '../../lib/index.ts';

/** The reply, or a Mismatch where every repetition stayed without one and the control sent afterwards is answered. */
export async function answered(request: Promise<Reply>, control: () => Promise<Reply>): Promise<Reply> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    const reply = await control();
    expectThat(false, 'the request should be answered', {
      expected: 'a reply, as its valid control gets',
      actual: error.message,
      replies: reply,
    });
  }
}
