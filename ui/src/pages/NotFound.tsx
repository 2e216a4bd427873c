import { Link } from "wouter";
import { Page } from "../parts/Page";
import { Empty } from "../parts/states";

export default function NotFound() {
	return (
		<Page title="Page not found">
			<Empty title="There is no page at this address.">
				<Link className="button" href="/">
					Go to the overview
				</Link>
			</Empty>
		</Page>
	);
}
