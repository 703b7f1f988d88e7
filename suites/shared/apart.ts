// The distance of two moments whose timestamps must differ.

/** In milliseconds: more than a second, the resolution that a target may use. */
export const apartMs = 1100;
