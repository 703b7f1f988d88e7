// How far apart two moments must be, so that they differ in a target's own times.

/** In milliseconds: longer than a second, in which a target may keep its times. */
export const apartMs = 1100;
