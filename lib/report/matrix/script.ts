// The script of the matrix's page, as text: it makes the tables of those implementations that fit the search.

/** Plain JavaScript for browsers; it reads the page and sends nothing. */
export const script = `'use strict';
(() => {
  const { requirements, questions, columns } = JSON.parse(document.getElementById('data').textContent);
  const most = 200;
  const mostNames = 20;
  const mostOfAnswer = 400;
  const words = { p: 'holds', f: 'failed', w: 'warning', n: 'not tested', i: 'inconclusive', o: 'observed', s: 'out of scope', '-': 'not selected' };
  const signs = { p: '\\u2713', f: '\\u2715', w: '!', n: '\\u2013', i: '?', o: '\\u25C9', s: '', '-': '' };
  const element = (name, className, ...content) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...content);
    return made;
  };
  const areas = [...new Set(requirements.map((row) => row.area))];
  const places = Object.fromEntries(areas.map((area) => [area, requirements.flatMap((row, at) => (row.area === area ? [at] : []))]));
  const search = document.querySelector('[name=search]');
  let area = '';

  const table = (id, caption, heads, rows) => {
    const frame = element('div', 'scroll matrix');
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', caption);
    const made = element('table', '', element('caption', '', caption));
    const header = (text) => { const cell = element('th', '', text); cell.scope = 'col'; return cell; };
    made.append(element('thead', '', element('tr', '', ...heads.map(header))), element('tbody', '', ...rows));
    frame.append(made);
    document.getElementById(id).replaceChildren(frame);
  };
  const line = (head, cells, kind) => {
    const name = element('th', kind, head);
    name.scope = 'row';
    return element('tr', '', name, ...cells);
  };

  const overview = (shown) => {
    const rows = shown.map((column) => line(column.name, [element('td', '', column.verdict + (column.profile === 'full' ? '' : ' (' + column.profile + ' profile)')), ...areas.map((name) => {
      const own = places[name].filter((at) => requirements[at].level === 'must').map((at) => column.verdicts[at]);
      const failed = own.filter((one) => one === 'f').length;
      const open = own.filter((one) => one === 'n' || one === 'i').length;
      const judged = own.some((one) => one !== '-' && one !== 's');
      if (!judged) return element('td', '', element('span', 'unseen', words[own[0] || '-']));
      const cell = element('td', failed ? 'f' : open ? 'n' : 'p');
      const button = element('button', '', failed ? failed + ' failed' : open ? open + ' open' : signs.p);
      button.type = 'button';
      button.setAttribute('aria-label', column.name + ', ' + name + ': ' + failed + ' failed, ' + open + ' open');
      button.addEventListener('click', () => { location.hash = name; });
      cell.append(button);
      return cell;
    })], 'host'));
    table('areas', 'Implementations against areas', ['Implementation', 'Verdict', ...areas], rows);
  };

  const unfolded = (shown) => {
    const place = document.getElementById('area');
    if (!area) { place.replaceChildren(); return; }
    const rows = places[area].map((at) => {
      const { id, level, statement } = requirements[at];
      const cells = shown.map(({ verdicts }) => { const cell = element('td', verdicts[at], signs[verdicts[at]]); cell.title = words[verdicts[at]]; cell.append(element('span', 'unseen', words[verdicts[at]])); return cell; });
      return line(level.toUpperCase() + ' ' + id + ': ' + statement, cells, 'question');
    });
    table('area', 'Requirements of ' + area, ['Requirement', ...shown.map(({ name }) => name)], rows);
  };

  const choices = (shown) => {
    const rows = questions.flatMap(({ question, answers }, at) => {
      if (new Set(shown.map((column) => column.answers[at])).size < 2) return [];
      const given = new Map();
      for (const { name, answers: own } of shown) given.set(own[at], [...(given.get(own[at]) || []), name]);
      return [...given].map(([number, names], index) => {
        const head = element('th', 'question', question);
        head.scope = 'rowgroup';
        head.rowSpan = given.size;
        const who = names.slice(0, mostNames).flatMap((name) => [element('span', 'host', name), ' ']);
        if (names.length > mostNames) who.push('and ' + (names.length - mostNames) + ' more');
        const answer = number < 0 ? element('i', '', 'not answered') : answers[number].slice(0, mostOfAnswer);
        return element('tr', '', ...(index === 0 ? [head] : []), element('td', 'answer', answer), element('td', 'who', ...who));
      });
    });
    table('choices', 'Choices where the document is silent, as far as they differ; equal answers stand together', ['Question', 'Answer', 'Implementations'], rows);
  };

  const fitting = () => {
    const wanted = search.value.toLowerCase().split(/\\s+/);
    return columns.filter(({ name, verdict }) => wanted.every((word) => (name + ' ' + verdict).toLowerCase().includes(word)));
  };
  const show = () => {
    const found = fitting();
    const shown = found.slice(0, most);
    document.querySelector('[role=status]').textContent = found.length + ' of ' + columns.length + (found.length > most ? '; the first ' + most + ' are shown' : '');
    overview(shown);
    unfolded(shown.slice(0, 20));
    choices(shown);
  };
  addEventListener('hashchange', () => {
    area = areas.includes(location.hash.slice(1)) ? location.hash.slice(1) : '';
    unfolded(fitting().slice(0, 20));
    document.getElementById('area').scrollIntoView();
  });
  search.addEventListener('input', show);
  area = areas.includes(location.hash.slice(1)) ? location.hash.slice(1) : '';
  show();
})();
`;
