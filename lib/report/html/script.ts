// The script of the page, as text: it makes elements of what is folded, searches, follows links into folds, and copies.

/** Plain JavaScript for browsers; it reads the page and sends nothing. */
export const script = `'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const words = { failed: 'Failed', warning: 'Warning', inconclusive: 'Inconclusive', 'not-tested': 'Not tested', passed: 'Passed', observed: 'Observed' };
  const open = ['not-tested', 'inconclusive'];
  const status = document.createElement('p');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  document.body.append(status);
  const say = (text) => { status.textContent = text; setTimeout(() => { status.textContent = ''; }, 2000); };

  const copy = async (text, said) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    say(said + ' copied');
  };

  const addCopiers = (within) => {
    for (const pre of all('pre.copy', within)) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'copier';
      button.textContent = 'Copy';
      button.setAttribute('aria-label', 'Copy: ' + pre.getAttribute('aria-label'));
      button.addEventListener('click', () => copy(pre.textContent, 'Text'));
      pre.before(button);
    }
  };

  const rowOf = new Map(data.rows.map((row) => [row[0], row]));

  const element = (name, className, ...content) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...content);
    return made;
  };

  const chip = (look) => element('span', 'chip ' + look, words[look]);
  /** A line that leads to a requirement. */
  const item = ([id, look, level, , statement]) => {
    const link = element('a', '', id);
    link.href = '#' + id;
    return element('p', 'item', chip(look), ' ', element('span', 'level', level.toUpperCase()), ' ', link, ' ', statement);
  };

  /** A requirement as a fold of its own, where it does not stand on the page already. */
  const entry = (row, own) => {
    const [id, look, level, , statement] = row;
    if (!own || look === 'failed' || look === 'warning') return item(row);
    const verdicts = element('span', 'verdicts', chip(look), ' ', element('span', 'level', level.toUpperCase()));
    const summary = element('summary', '', verdicts, ' ', element('span', 'statement', statement), ' ', element('code', 'id', id));
    const made = element('details', 'requirement ' + look, summary);
    made.id = id;
    return made;
  };

  /** What is inside is escaped text of the report; it becomes elements once. */
  const fill = (fold) => {
    const inside = data.bodies[fold.id];
    if (inside === undefined || fold.dataset.filled) return;
    fold.dataset.filled = 'true';
    const body = document.createElement('div');
    body.className = 'body';
    if (Array.isArray(inside)) body.append(...inside.map((id) => entry(rowOf.get(id), fold.id.startsWith('area-'))));
    else body.innerHTML = inside;
    for (const place of all('[data-ruling]', body)) place.innerHTML = data.rulings[place.dataset.ruling];
    fold.append(body);
    addCopiers(body);
  };
  document.addEventListener('toggle', (event) => { if (event.target.open) fill(event.target); }, true);

  const reveal = (id) => {
    let target = document.getElementById(id);
    if (!target && rowOf.has(id)) {
      const area = document.getElementById('area-' + rowOf.get(id)[3]);
      area.open = true;
      fill(area);
      target = document.getElementById(id);
    }
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') { at.open = true; fill(at); }
    target.scrollIntoView();
    const focus = target.tagName === 'DETAILS' ? target.querySelector('summary') : target;
    if (focus.tabIndex < 0) focus.tabIndex = -1;
    focus.focus({ preventScroll: true });
  };

  const filter = document.querySelector('.filter');
  const search = filter.querySelector('input');
  const found = document.getElementById('found');
  const most = 100;

  const fits = (row, { verdict, level, area, search: text }) => {
    const [id, look, rowLevel, rowArea, statement] = row;
    const own = look === 'warning' ? 'failed' : look;
    if (level && level !== rowLevel) return false;
    if (area && area !== rowArea) return false;
    if (verdict && !(verdict === 'open' ? open.includes(own) : verdict === own)) return false;
    const whole = (id + ' ' + words[look] + ' ' + rowLevel + ' ' + statement).toLowerCase();
    return (text || '').toLowerCase().split(/\\s+/).every((word) => whole.includes(word));
  };

  const show = (wanted) => {
    const any = Object.values(wanted).some(Boolean);
    found.hidden = !any;
    search.value = wanted.search || '';
    if (!any) { filter.querySelector('[role=status]').textContent = ''; found.replaceChildren(); return; }
    const rows = data.rows.filter((row) => fits(row, wanted));
    const said = rows.length + ' of ' + data.rows.length + ' requirements';
    const heading = document.createElement('h3');
    const chosen = Object.entries(wanted).filter(([, value]) => value).map(([name, value]) => name + ' ' + value).join(', ');
    heading.textContent = said + ': ' + chosen;
    found.replaceChildren(heading, ...rows.slice(0, most).map(item));
    if (rows.length > most) found.append('and ' + (rows.length - most) + ' more; search for a word of them');
    filter.querySelector('[role=status]').textContent = said;
  };

  const read = () => {
    let hash = '';
    try { hash = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    if (hash.startsWith('?')) {
      show(Object.fromEntries(new URLSearchParams(location.hash.slice(2))));
      if (!found.hidden && document.activeElement !== search) found.scrollIntoView();
    } else if (hash) reveal(hash);
  };

  search.addEventListener('input', () => {
    const wanted = search.value === '' ? '' : '#?' + new URLSearchParams({ search: search.value });
    history.replaceState(null, '', wanted || location.pathname);
    show({ search: search.value });
    if (!found.hidden) found.scrollIntoView({ block: 'nearest' });
  });

  addEventListener('beforeprint', () => {
    for (const fold of all('#failures > details, #warnings > details, #requirements > details, #cost > details, #open > details, #observations > details, #facts > details')) {
      fold.open = true;
      fill(fold);
    }
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) read();
  });
  filter.hidden = false;
  addEventListener('hashchange', read);
  read();
})();
`;
