import { createContext, use } from "react";
import type { ViewerFieldsFragment } from "../gql/generated";

export const ViewerContext = createContext<ViewerFieldsFragment | null>(null);

/** The signed-in user. Pages are shown to signed-in users only. */
export function useViewer(): ViewerFieldsFragment {
	const viewer = use(ViewerContext);
	if (!viewer) throw new Error("a page was shown without a viewer");
	return viewer;
}
