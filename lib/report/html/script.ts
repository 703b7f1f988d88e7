// The script of the page, as text: it searches, follows links into folds, and copies.

/** Plain JavaScript for browsers; it reads the page and sends nothing. */
export const script = `'use strict';
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const element = (name, className, ...content) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...content);
    return made;
  };
  const status = element('p', 'unseen');
  status.setAttribute('role', 'status');
  document.body.append(status);
  const say = (text) => { status.textContent = text; setTimeout(() => { status.textContent = ''; }, 2000); };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = element('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    say('Text copied');
  };
  for (const pre of all('pre.copy')) {
    const button = element('button', 'copier', 'Copy');
    button.type = 'button';
    button.setAttribute('aria-label', 'Copy: ' + pre.getAttribute('aria-label'));
    button.addEventListener('click', () => copy(pre.textContent));
    pre.before(button);
  }

  const reveal = (id) => {
    const target = document.getElementById(id);
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView();
    const focus = target.tagName === 'DETAILS' ? target.querySelector('summary') : target;
    if (focus.tabIndex < 0) focus.tabIndex = -1;
    focus.focus({ preventScroll: true });
  };

  const filter = document.querySelector('.filter');
  const search = filter.querySelector('input');
  const found = document.getElementById('found');
  const most = 100;
  const rows = all('.requirement').map((fold) => {
    const summary = fold.firstElementChild;
    return { id: fold.id, statement: summary.querySelector('.statement').textContent, text: (fold.className + ' ' + summary.textContent).toLowerCase() };
  });

  /** A line that leads to a requirement. */
  const item = ({ id, statement }) => {
    const link = element('a', '', id);
    link.href = '#' + id;
    return element('p', 'item', link, ' ', statement);
  };

  const show = (text) => {
    search.value = text;
    found.hidden = text === '';
    const fitting = rows.filter((row) => text.toLowerCase().split(/\\s+/).every((word) => row.text.includes(word)));
    const said = found.hidden ? '' : fitting.length + ' of ' + rows.length + ' requirements';
    filter.querySelector('[role=status]').textContent = said;
    found.replaceChildren(element('h3', '', said), ...fitting.slice(0, most).map(item));
    if (fitting.length > most) found.append('and ' + (fitting.length - most) + ' more; search for a word of them');
  };

  const read = () => {
    let hash = '';
    try { hash = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    if (hash.startsWith('?')) show(hash.slice(1));
    else if (hash) reveal(hash);
  };

  search.addEventListener('input', () => {
    history.replaceState(null, '', search.value === '' ? location.pathname : '#?' + encodeURIComponent(search.value));
    show(search.value);
    if (!found.hidden) found.scrollIntoView({ block: 'nearest' });
  });

  addEventListener('beforeprint', () => { for (const fold of all('section > details')) fold.open = true; });
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) read();
  });
  filter.hidden = false;
  addEventListener('hashchange', read);
  read();
})();
`;
