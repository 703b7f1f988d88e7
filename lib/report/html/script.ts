// The script of the page, as text: it filters, switches views, reveals what a link points at, and copies. Without it everything is readable.

/** Plain JavaScript for browsers; it reads the page and sends nothing. */
export const script = `'use strict';
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const status = document.createElement('p');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  document.body.append(status);

  const show = (view) => {
    root.dataset.view = view;
    for (const link of all('.views a')) {
      if (link.dataset.view === view) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };

  const filter = document.querySelector('.filter');
  const fields = Object.fromEntries(all('[name]', filter).map((field) => [field.name, field]));
  const rows = all('.requirement').map((element) => ({
    element,
    text: element.textContent.slice(0, 4000).toLowerCase(),
  }));

  const apply = () => {
    const { search, ...exact } = fields;
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, text } of rows) {
      const fits = (field) => field.value === '' || element.dataset[field.name] === field.value;
      element.hidden = !Object.values(exact).every(fits) || !words.every((word) => text.includes(word));
      if (!element.hidden) shown += 1;
    }
    for (const section of all('.area')) section.hidden = all('.requirement:not([hidden])', section).length === 0;
    filter.querySelector('[role=status]').textContent = shown + ' of ' + rows.length + ' requirements shown';
  };

  const choose = (values) => {
    for (const field of Object.values(fields)) field.value = values[field.name] ?? '';
    apply();
  };

  const reveal = () => {
    let id = '';
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && document.getElementById(id);
    if (!target) return;
    const view = target.closest('#technical') ? 'technical' : target.closest('#executive, #certificate') ? 'executive' : root.dataset.view;
    if (root.dataset.view !== 'everything') show(view);
    if (target.closest('[hidden]')) choose({});
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView();
    const focus = target.tagName === 'DETAILS' ? target.querySelector('summary') : target;
    if (focus.tabIndex < 0) focus.tabIndex = -1;
    focus.focus({ preventScroll: true });
  };

  const follow = (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link) return;
    const { view, verdict, level, area } = link.dataset;
    if (view) {
      show(view);
      event.preventDefault();
      window.scrollTo(0, 0);
    } else if (verdict || area) {
      event.preventDefault();
      choose({ verdict, level, area });
      if (root.dataset.view !== 'everything') show('technical');
      document.getElementById('requirements').scrollIntoView();
      fields.search.focus({ preventScroll: true });
    } else if (link.hash === location.hash) {
      reveal();
    }
  };

  const copy = async (text, pre) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(pre);
      document.execCommand('copy');
    }
    status.textContent = 'Copied';
    setTimeout(() => { status.textContent = ''; }, 2000);
  };

  for (const pre of all('pre.copy')) {
    const button = document.createElement('button');
    const label = 'Copy';
    button.type = 'button';
    button.className = 'copier';
    button.textContent = label;
    button.setAttribute('aria-label', 'Copy: ' + (pre.getAttribute('aria-label') ?? ''));
    button.addEventListener('click', () => {
      copy(pre.textContent, pre);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = label; }, 2000);
    });
    pre.before(button);
  }

  filter.hidden = false;
  filter.addEventListener('input', apply);
  filter.querySelector('button').addEventListener('click', () => choose({}));
  apply();
  document.addEventListener('click', follow);
  addEventListener('hashchange', reveal);
  show('executive');
  reveal();
})();
`;
