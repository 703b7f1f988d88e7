// The end of this process's work: nothing is under way any more, so whatever still waits would wait for ever.

/** Calls back whenever the event loop has run empty, and keeps it going for another turn, until what is returned is called. */
export function onEmptyLoop(call: () => void): () => void {
  const hear = () => {
    call();
    setImmediate(() => {});
  };
  process.on('beforeExit', hear);
  return () => process.off('beforeExit', hear);
}
