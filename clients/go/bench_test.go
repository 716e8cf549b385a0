package asg_test

import (
	"context"
	"path/filepath"
	"testing"

	asg "github.com/agentstategraph/agentstategraph-go"
)

// benchmarked opens a store whose core has compiled what it runs.
func benchmarked(b *testing.B) *asg.Client {
	db, err := asg.Open(context.Background(), filepath.Join(b.TempDir(), "state.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	for n := range 3000 {
		if _, err := db.Set(context.Background(), "/cluster/replicas", n, "Warm up"); err != nil {
			b.Fatal(err)
		}
		if _, err := db.Get(context.Background(), "/cluster/replicas"); err != nil {
			b.Fatal(err)
		}
	}
	return db
}

func BenchmarkSet(b *testing.B) {
	db := benchmarked(b)
	b.ResetTimer()
	for n := range b.N {
		if _, err := db.Set(context.Background(), "/cluster/replicas", n, "Scale"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	db := benchmarked(b)
	b.ResetTimer()
	for range b.N {
		if _, err := asg.Get[int](context.Background(), db, "/cluster/replicas"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSetFromManyGoroutines(b *testing.B) {
	db := benchmarked(b)
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := db.Set(context.Background(), "/cluster/replicas", 1, "Scale"); err != nil {
				b.Error(err)
			}
		}
	})
}
