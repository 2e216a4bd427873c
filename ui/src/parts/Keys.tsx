import { useState } from 'react';
import { setTheme, theme, type Theme } from './theme';
import { Drawer } from './Drawer';
import { keysOn, setKeysOn } from './useKeys';

const KEYS: [string, string][] = [
  ['Ctrl K', 'Go anywhere, find, do'], ['j  k', 'Next, previous'], ['Enter', 'Open'], ['Esc', 'Close'], ['/', 'Search the list'], ['x', 'Choose a row'],
  ['e', 'Inbox: done'], ['p', 'Inbox: positive'], ['n', 'Inbox: negative'], ['u', 'Inbox: neutral'], ['r', 'Inbox: write back'], ['Space', 'Inbox: read on'], ['z', 'Undo'], ['Ctrl S', 'Save a campaign'], ['?', 'These keys'],
];

export default function Keys({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(keysOn());
  const [look, setLook] = useState(theme());
  return (
    <Drawer title="Keys and look" onClose={onClose}>
      <dl className="keys-list">{KEYS.map(([key, does]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>)}</dl>
      <label className="check"><input type="checkbox" checked={on} onChange={() => { setKeysOn(!on); setOn(!on); }} /> Single-key shortcuts</label>
      <fieldset className="choices"><legend>Look</legend>
        {(['system', 'light', 'dark'] satisfies Theme[]).map((choice) => (
          <label key={choice} className="check"><input type="radio" name="look" checked={look === choice} onChange={() => { setTheme(choice); setLook(choice); }} /> {choice === 'system' ? 'As the system' : choice === 'light' ? 'Light' : 'Dark'}</label>
        ))}
      </fieldset>
    </Drawer>
  );
}
