import { useState } from "react";
import { request } from "../../api";
import { refresh, useChange, useOne } from "../../data";
import { RoleValues } from "../../gql/enums";
import {
	InvitationsDocument,
	InviteMemberDocument,
	MembersDocument,
	type MembersQuery,
	RemoveMemberDocument,
	RevokeInvitationDocument,
	type Role,
} from "../../gql/generated";
import { Badge } from "../../parts/Badge";
import { Confirm } from "../../parts/Confirm";
import { Field, FormError } from "../../parts/Field";
import { Secret } from "../../parts/Secret";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast, toastError } from "../../parts/Toasts";
import { useDraft } from "../../parts/useDraft";
import { useViewer } from "../../parts/viewer";

const roles: Record<Role, string> = { member: "Member", owner: "Owner: also team and tracking domain" };
type Member = MembersQuery["members"][number];

export function Team() {
	const { data, error, refetch } = useOne(MembersDocument, {});
	const viewer = useViewer();
	const { values, set, clear } = useDraft<{ email: string; role: Role }>("member", { email: "", role: "member" });
	const add = useChange(InviteMemberDocument, () => void refresh());
	const [removing, setRemoving] = useState<Member | null>(null);
	if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton />;
	const owner = viewer.role === "owner";
	const remove = async (member: Member) => {
		await request(RemoveMemberDocument, { id: member.id });
		toast(`${member.email} removed.`);
		void refresh();
	};
	const made = add.data?.inviteMember;
	return (
		<div className="panel">
			<section className="section" aria-labelledby="team">
				<h2 id="team">Team</h2>
				<ul className="rows">
					{data.members.map((member) => (
						<li key={member.id}>
							<span className="grow">
								<span className="clip">
									{member.email}
									{member.id === viewer.id && <span className="faint"> (you)</span>}
								</span>
								<small className="faint">
									since <Time at={member.createdAt} />
								</small>
							</span>
							<Badge state={member.role} />
							{owner && member.id !== viewer.id && (
								<button
									type="button"
									className="link bad"
									onClick={() => setRemoving(member)}
									aria-label={`Remove ${member.email}`}
								>
									Remove
								</button>
							)}
						</li>
					))}
				</ul>
			</section>
			{owner ? (
				<form
					onSubmit={(event) => {
						event.preventDefault();
						add.mutate(values, { onSuccess: () => clear() });
					}}
				>
					<h3 className="form-title">Invite a member</h3>
					<div className="two">
						<Field label="E-mail address" at="/email" error={add.error}>
							{(wired) => (
								<input
									{...wired}
									type="email"
									required
									autoComplete="off"
									value={values.email}
									onChange={(event) => set({ email: event.target.value })}
								/>
							)}
						</Field>
						<Field label="Role" at="/role" error={add.error}>
							{(wired) => (
								<select {...wired} value={values.role} onChange={(event) => set({ role: event.target.value as Role })}>
									{RoleValues.toReversed().map((role) => (
										<option key={role} value={role}>
											{roles[role]}
										</option>
									))}
								</select>
							)}
						</Field>
					</div>
					<FormError error={add.error} />
					<div className="buttons start">
						<button type="submit" className="primary" disabled={add.isPending}>
							Invite
						</button>
					</div>
				</form>
			) : (
				<p className="faint">Only an owner can add or remove members.</p>
			)}
			{made && (
				<div className="note good" role="status">
					<div className="grow section">
						<p>
							Send this link to <b>{made.email}</b>. It works once, within seven days:
						</p>
						<Secret
							value={`${location.origin}/join#${made.token}`}
							label="Invitation link"
							once="It is not shown again."
						/>
					</div>
				</div>
			)}
			{owner && <Invitations />}
			{removing && (
				<Confirm
					title={`Remove ${removing.email}?`}
					verb="Remove member"
					typed="remove"
					act={() => remove(removing)}
					onClose={() => setRemoving(null)}
				>
					<p>
						1 member loses access and is signed out everywhere. Their work stays.
						{removing.createdToken ? " The API token, which they created, is revoked." : ""}
					</p>
				</Confirm>
			)}
		</div>
	);
}

/** The invitations that are not accepted yet. */
function Invitations() {
	const { data } = useOne(InvitationsDocument, {});
	if (!data?.invitations.length) return null;
	const revoke = async (id: string) => {
		await request(RevokeInvitationDocument, { id });
		toast("The invitation was revoked.");
		void refresh();
	};
	return (
		<section className="section" aria-labelledby="invitations">
			<h2 id="invitations">Invitations</h2>
			<ul className="rows">
				{data.invitations.map((one) => (
					<li key={one.id}>
						<span className="grow">
							<span className="clip">{one.email}</span>
							<small className="faint">
								valid until <Time at={one.expiresAt} />
							</small>
						</span>
						<button
							type="button"
							className="link bad"
							aria-label={`Revoke the invitation of ${one.email}`}
							onClick={() => void revoke(one.id).catch(toastError)}
						>
							Revoke
						</button>
					</li>
				))}
			</ul>
		</section>
	);
}
