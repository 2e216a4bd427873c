import { createContext, use } from "react";
import type { ViewerFieldsFragment } from "../gql/generated";

export const ViewerContext = createContext<ViewerFieldsFragment | null>(null);

/** Who is signed in; pages are only shown to somebody who is. */
export function useViewer(): ViewerFieldsFragment {
	const viewer = use(ViewerContext);
	if (!viewer) throw new Error("a page was shown without a viewer");
	return viewer;
}
