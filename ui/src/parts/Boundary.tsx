import { Component, type ReactNode } from "react";

/** Catches errors of a page, such as a script that could not be loaded, and offers to reload. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
	override state: { error: Error | null } = { error: null };
	static getDerivedStateFromError(error: Error) {
		return { error };
	}
	override render() {
		if (!this.state.error) return this.props.children;
		return (
			<main className="page alone" role="alert">
				<h1>This page failed to load</h1>
				<p>{this.state.error.message}</p>
				<p className="line">
					<button type="button" className="primary" onClick={() => location.reload()}>
						Reload
					</button>
				</p>
			</main>
		);
	}
}
