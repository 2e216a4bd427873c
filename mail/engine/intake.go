package engine

import (
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"outreach"
	"outreach/internal/panics"
	"outreach/mail"
)

// The bounds of a batch, which is stored in one transaction: messages, and bytes of all of them. A
// larger message is read at once, so that only its text waits in memory.
const (
	batchSize  = 200
	batchBytes = 2 << 20
)

// intake ingests the messages of one folder in batches: while one batch is fetched, the one before
// it is read and the one before that is stored. Messages are stored in the order in which they
// arrived.
type intake struct {
	*reading
	folder  mail.Folder
	reader  *reader
	current batch
	fetched chan batch
	read    chan batch
	running sync.WaitGroup
	failed  firstError // of the store
}

// batch is a run of messages of one folder, and the position after it.
type batch struct {
	messages []incoming
	bytes    int
	at       mail.Position
}

func startIntake(r *reading, folder mail.Folder) *intake {
	i := &intake{reading: r, folder: folder, reader: newReader(&r.box, folder, r.engine.Composer.Keyring),
		fetched: make(chan batch), read: make(chan batch)}
	i.running.Go(func() {
		defer close(i.read)
		for b := range i.fetched {
			i.failed.set(eachOf(b.messages, (*incoming).read))
			i.read <- b
		}
	})
	i.running.Go(func() {
		for b := range i.read {
			if i.failed.get() != nil {
				continue // the following messages are fetched again
			}
			i.failed.set(panics.Catch(func() error { return i.store(b) }))
		}
	})
	return i
}

// add adds one message. It returns an error if no more messages need to be fetched.
func (i *intake) add(msg mail.Incoming) error {
	if err := i.failed.get(); err != nil {
		return err
	}
	if msg.Withheld {
		i.engine.Logger.LogAttrs(i.work, slog.LevelWarn, "message is skipped, because its server does not send it",
			append(of(i.box.Ref()), slog.String("folder", string(i.folder)),
				slog.Uint64("uid", uint64(msg.UID)), slog.Time("arrived", msg.InternalDate))...)
		return nil
	}
	b := &i.current
	b.messages = append(b.messages, incoming{raw: msg.Raw, cut: msg.Truncated, reader: i.reader, in: outreach.Received{At: msg.InternalDate}})
	b.bytes += len(msg.Raw)
	b.at = mail.Position{UIDValidity: msg.UIDValidity, UID: msg.UID}
	if len(msg.Raw) > batchBytes {
		b.messages[len(b.messages)-1].read()
	}
	if len(b.messages) >= batchSize || b.bytes >= batchBytes {
		i.pass()
	}
	return nil
}

func (i *intake) pass() {
	i.fetched <- i.current
	i.current = batch{}
}

// end stores the remaining messages and the given position if it has changed, and waits. It returns
// the error of the store.
func (i *intake) end(at mail.Position, moved bool) error {
	if moved {
		i.current.at = at
		i.pass()
	}
	close(i.fetched)
	i.running.Wait()
	return i.failed.get()
}

// store interprets the messages about us and passes the batch to the store. If the process dies
// before the store's commit, the batch is read again; if it dies after it, reading continues after
// the batch.
func (i *intake) store(b batch) error {
	if err := i.unsubscribe(b.messages); err != nil {
		return err
	}
	messages := slices.DeleteFunc(b.messages, incoming.meaningless)
	concerning, err := i.engine.Store.Concerning(i.work, i.box, received(messages))
	if err != nil {
		return err
	}
	for n := range messages {
		messages[n].ours, messages[n].sent, messages[n].byAddress = concerning[n].Ours, concerning[n].Sent, concerning[n].ByAddress
	}
	now := i.engine.Now()
	if err := eachOf(messages, func(msg *incoming) { msg.interpret(now) }); err != nil {
		return err
	}
	position := outreach.FolderPosition{Folder: string(i.folder), UIDValidity: b.at.UIDValidity, UID: b.at.UID}
	taken, err := i.engine.Store.Ingest(i.work, i.box, received(messages), position)
	for n := range taken {
		if taken[n] && i.engine.Hooks.Ingested != nil {
			i.engine.Hooks.Ingested(messages[n].in.Kind)
		}
	}
	return err
}

// unsubscribe handles the messages that ask for no more mail by their subject, like the button on
// the page. They are not replies. If the process dies afterwards, they are handled again, which
// changes nothing.
func (i *intake) unsubscribe(messages []incoming) error {
	for n := range messages {
		message, ok := i.engine.Composer.unsubscribes(messages[n].in.Subject)
		if !ok {
			continue
		}
		if err := i.engine.Store.UnsubscribeByMail(i.work, message, i.engine.Now()); err != nil {
			return err
		}
		messages[n].ignore()
	}
	return nil
}

func received(messages []incoming) []outreach.Received {
	in := make([]outreach.Received, len(messages))
	for n := range messages {
		in[n] = messages[n].in
	}
	return in
}

// eachOf runs do for each item, on as many goroutines as there are processors. A
// panic in one of them is returned as an error.
func eachOf[T any](items []T, do func(*T)) error {
	var next atomic.Int64
	var all sync.WaitGroup
	var failed firstError
	for range min(runtime.GOMAXPROCS(0), len(items)) {
		all.Go(func() {
			failed.set(panics.Catch(func() error {
				for n := next.Add(1) - 1; n < int64(len(items)); n = next.Add(1) - 1 {
					do(&items[n])
				}
				return nil
			}))
		})
	}
	all.Wait()
	return failed.get()
}
