import { useOne } from '../data';
import { CampaignNamesDocument } from '../gql/generated';
import { Filter } from './Filters';

/** The names of the newest hundred campaigns. */
export function useCampaignNames() {
  const { data } = useOne(CampaignNamesDocument, {}, { live: 60_000 });
  return data?.campaigns.nodes ?? [];
}

export function CampaignFilter() {
  const names = useCampaignNames();
  return <Filter name="campaign" label="Campaign" options={names.map(({ id, name }) => ({ value: id, label: name }))} />;
}

/** A campaign to enrol somebody in; archived ones take nobody. */
export function CampaignSelect({ id, value, onChange }: { id?: string; value: string; onChange: (id: string) => void }) {
  const names = useCampaignNames().filter(({ status }) => status !== 'archived');
  return (
    <select id={id} aria-label={id ? undefined : 'Campaign'} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{id ? 'No campaign' : 'Enrol in…'}</option>
      {names.map((campaign) => <option key={campaign.id} value={campaign.id}>{campaign.name}{campaign.status === 'active' ? '' : ` (${campaign.status})`}</option>)}
    </select>
  );
}
