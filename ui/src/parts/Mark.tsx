/** The mark of the application (icon.svg), drawn in the page: an image would be one more request. */
export function Mark({ size }: { size: number }) {
	return (
		<svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden>
			<rect width="32" height="32" rx="7" fill="#3355d1" />
			<path d="M7 16.5 25 8l-5.5 17-4.2-6.2z" fill="#fff" />
			<path d="m15.3 18.8-.2 5 4.2-2.6" fill="#b9c6f5" />
		</svg>
	);
}
