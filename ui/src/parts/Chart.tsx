import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { OverviewQuery } from '../gql/generated';

type DayCounts = OverviewQuery['overview']['days'][number];

const series = [
  { key: 'sent', label: 'Sent', color: '--n6' }, { key: 'replied', label: 'Replies', color: '--accent' },
  { key: 'positive', label: 'Positive', color: '--good' }, { key: 'bounced', label: 'Bounces', color: '--bad' },
  { key: 'opens', label: 'Opens (upper bound)', color: '--warn', dash: [2, 4] },
] as const;

const dayName = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Days as lines. Arrow keys walk the days; what is under the cursor is said below; the figures are there as a table too. */
export default function Chart({ days }: { days: DayCounts[] }) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [table, setTable] = useState(false);
  const [theme, setTheme] = useState(0);

  useEffect(() => {
    const again = () => setTheme((n) => n + 1);
    const media = matchMedia('(prefers-color-scheme: dark)');
    media.addEventListener('change', again);
    window.addEventListener('themechange', again);
    return () => { media.removeEventListener('change', again); window.removeEventListener('themechange', again); };
  }, []);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const chart = new uPlot(options(element.clientWidth, setAt), columns(days), element);
    plot.current = chart;
    const size = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: 220 }));
    size.observe(element);
    return () => { size.disconnect(); chart.destroy(); plot.current = null; };
    // The lines themselves are laid in by the effect below.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [theme, table]);
  useEffect(() => plot.current?.setData(columns(days)), [days]);

  const walk = (step: number) => {
    const chart = plot.current;
    if (!chart) return;
    const to = Math.max(0, Math.min(days.length - 1, (at ?? days.length) + step));
    chart.setCursor({ left: chart.valToPos(seconds(days[to]!.date), 'x'), top: 10 });
    setAt(to);
  };
  const day = at === null ? undefined : days[at];
  return (
    <figure className="section">
      {!table && (
        <div className="chart" ref={box} tabIndex={0} role="img" aria-label={`Sent, replies, positive replies, bounces and opens over ${days.length} days. Arrow keys walk the days.`}
          onKeyDown={(event) => { if (event.key === 'ArrowLeft') walk(-1); else if (event.key === 'ArrowRight') walk(1); else return; event.preventDefault(); }} />
      )}
      <figcaption className="line">
        <span className="faint grow" aria-live="polite">
          {day ? `${dayName.format(new Date(day.date))}: ${series.map(({ key, label }) => `${label.toLowerCase()} ${day[key]}`).join(', ')}` : 'Counts for each day, in UTC.'}
        </span>
        <button type="button" className="link" onClick={() => { setTable(!table); setAt(null); }}>{table ? 'Show the chart' : 'Show as a table'}</button>
      </figcaption>
      {table && (
        <div className="scroll-x" tabIndex={0} role="region" aria-label="Figures by day">
          <table className="plain">
            <thead><tr><th scope="col">Day (UTC)</th>{series.map(({ key, label }) => <th scope="col" className="num" key={key}>{label}</th>)}</tr></thead>
            <tbody>{days.toReversed().map((row) => <tr key={row.date}><td>{row.date}</td>{series.map(({ key }) => <td className="num" key={key}>{row[key]}</td>)}</tr>)}</tbody>
          </table>
        </div>
      )}
    </figure>
  );
}

const seconds = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;
const columns = (days: DayCounts[]): uPlot.AlignedData => [days.map(({ date }) => seconds(date)), ...series.map(({ key }) => days.map((day) => day[key]))];

/** A token as a plain colour: a canvas knows neither var() nor light-dark(). */
function colour(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

function options(width: number, onDay: (at: number | null) => void): uPlot.Options {
  const text = colour('--n7'), grid = { stroke: colour('--n2'), width: 1 };
  const axis = { stroke: text, grid, ticks: { show: false }, font: `12px ${getComputedStyle(document.body).fontFamily}` };
  return {
    width, height: 220,
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    scales: { y: { range: (_, __, max) => [0, Math.max(5, max * 1.08)] } },
    axes: [{ ...axis, values: (_, at) => at.map((value) => dayName.format(new Date(value * 1000))), space: 70 }, { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000] }],
    series: [{}, ...series.map((line) => ({ label: line.label, stroke: colour(line.color), width: 2, points: { show: false }, ...('dash' in line ? { dash: [...line.dash] } : {}) }))],
    hooks: { setCursor: [(chart) => onDay(chart.cursor.idx ?? null)] },
  };
}
